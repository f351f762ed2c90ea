import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, program } from '../helpers/runs/cli.ts'
import type { CalledTool } from '../model-server/script.ts'
import { programFolder } from './clients.ts'
import { type LiveSetting, liveSetting, patience } from './live-run.ts'

const server = { command: process.execPath, args: [program, 'mcp'] }

interface Told {
  stdout: string
  /** All that the model was sent. */
  sent: string
}

/** Lets a client ask a model that calls one tool, in a folder with a run. */
async function withClient(
  call: CalledTool,
  name: string,
  args: readonly string[],
  prepare: (setting: LiveSetting, cwd: string) => Record<string, string>,
): Promise<Told> {
  const cwd = tempFolder()
  await benchOk(argv`--tasks ferry-morning --methods baseline --out results/run --quiet`, { cwd })
  const setting = await liveSetting(({ messages }) => {
    const said = messages.findLast(({ role }) => role === 'tool')?.text
    return said === undefined ? { text: 'I look.', toolCalls: [call] } : { text: `It says: ${said}` }
  })
  const env = { ...setting.env, ...prepare(setting, cwd) }
  const options = { cwd, extendEnv: false, env, stdin: 'ignore', timeout: 300_000 } as const
  const { stdout } = await execa(join(programFolder(), name), args, options)
  return { stdout, sent: JSON.stringify(setting.server.log.map(({ body }) => body)) }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const names = ['list_runs', 'report', 'show_trial', 'start_run']
const whole = /It says: .*whole: 1 of 1 trial/s

it('the real Claude Code lists the tools of bench mcp and uses one', { timeout: patience }, async () => {
  const { stdout, sent } = await withClient(
    { name: 'mcp__bench__progress', input: { run: 'run' } },
    'claude',
    [
      ...['-p', 'How far is the run?', '--model', 'claude-sonnet-4-5', '--strict-mcp-config'],
      ...['--mcp-config', 'servers.json', '--allowedTools', 'mcp__bench__progress'],
    ],
    (_, cwd) => {
      write(join(cwd, 'servers.json'), JSON.stringify({ mcpServers: { bench: server } }))
      // Else it hides tools of servers behind a search.
      return { ENABLE_TOOL_SEARCH: 'false' }
    },
  )
  expect(stdout).toMatch(whole)
  for (const name of names) expect(sent).toContain(`"mcp__bench__${name}"`)
})

/** Settings of Codex that lead it to the model and to the server; without `required` it asks before the server has begun. */
const codexSettings = (url: string, more = ''): string => `
model_provider = "local"
web_search = "disabled"
analytics.enabled = false
[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = false
[mcp_servers.bench]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
required = true
startup_timeout_sec = 60
${more}
`
const askCodex = (call: Omit<CalledTool, 'namespace'>, more?: string) =>
  withClient(
    { namespace: 'mcp__bench', ...call },
    'codex',
    ['exec', '--skip-git-repo-check', '-s', 'read-only', '-m', 'gpt-5', 'How far is the run?'],
    ({ server: { url }, home }) => {
      write(join(home, '.codex/config.toml'), codexSettings(url, more))
      return {}
    },
  )

it('the real Codex uses a tool that only reads, and starts a run once its settings approve', {
  timeout: patience,
}, async () => {
  const read = await askCodex({ name: 'progress', input: { run: 'run' } })
  expect(read.stdout).toMatch(whole)
  for (const name of names) expect(read.sent).toContain(`"name":"${name}"`)
  const start = { name: 'start_run', input: { name: 'made', tasks: 'ferry-morning', methods: 'baseline' } }
  expect((await askCodex(start)).stdout).toContain('requires approval')
  const approved = await askCodex(start, 'default_tools_approval_mode = "approve"')
  expect(approved.stdout).toContain('1 method on 1 task')
})

it('the real Gemini CLI lists the tools of bench mcp and uses one', { timeout: patience }, async () => {
  const { stdout, sent } = await withClient(
    { name: 'mcp_bench_progress', input: { run: 'run' } },
    'gemini',
    ['-p', 'How far is the run?', '-m', 'gemini-2.5-pro', '--skip-trust'],
    ({ home }) => {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { maxAttempts: 1, enableAutoUpdate: false },
        mcpServers: { bench: { ...server, trust: true } },
      }
      write(join(home, '.gemini/settings.json'), JSON.stringify(settings))
      return { GEMINI_CLI_NO_RELAUNCH: 'true' }
    },
  )
  expect(stdout).toMatch(whole)
  for (const name of names) expect(sent).toContain(`"mcp_bench_${name}"`)
})
