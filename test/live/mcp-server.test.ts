import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, program } from '../helpers/runs/cli.ts'
import { programFolder } from './clients.ts'
import { liveSetting, patience } from './live-run.ts'

it('the real Claude Code lists the tools of bench mcp and uses one', { timeout: patience }, async () => {
  const cwd = tempFolder()
  await benchOk(argv`--tasks ferry-morning --methods baseline --out results/run --quiet`, { cwd })
  const setting = await liveSetting(({ messages }) => {
    const said = messages.findLast(({ role }) => role === 'tool')?.text
    return said === undefined
      ? { text: 'I look.', toolCalls: [{ name: 'mcp__bench__progress', input: { run: 'run' } }] }
      : { text: `It says: ${said}` }
  })
  const config = join(cwd, 'servers.json')
  const server = { command: process.execPath, args: [program, 'mcp'] }
  writeFileSync(config, JSON.stringify({ mcpServers: { bench: server } }))
  const { stdout } = await execa(
    join(programFolder(), 'claude'),
    [
      ...['-p', 'How far is the run?', '--model', 'claude-sonnet-4-5', '--strict-mcp-config'],
      ...['--mcp-config', config, '--allowedTools', 'mcp__bench__progress'],
    ],
    {
      cwd,
      extendEnv: false,
      // Else it hides tools of servers behind a search.
      env: { ...setting.env, ENABLE_TOOL_SEARCH: 'false' },
      stdin: 'ignore',
      timeout: 300_000,
    },
  )
  expect(stdout).toMatch(/It says: .*whole: 1 of 1 trial/s)
  const offered = JSON.stringify(setting.server.log.map(({ body }) => body))
  for (const name of ['list_runs', 'report', 'show_trial', 'start_run'])
    expect(offered).toContain(`"mcp__bench__${name}"`)
})
