import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const key = 'sk-own-cli-0123456789abcdef'

/** A folder whose config file describes a program of the user's own, which asks a model server. */
async function folderWithCli() {
  const server = await startModelServer([{ text: 'Hello', usage: { input: 500, output: 20 }, always: true }])
  onTestFinished(() => server.close())
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = mkdtempSync('/var/tmp/own-cli-')
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  chmodSync(bin, 0o755)
  copyFileSync(join(root, 'test/helpers/agents/own-cli.mjs'), join(bin, 'own'))
  const cwd = tempFolder()
  const lines = [
    'run: { mode: live, tasks: ferry-morning, methods: baseline, agents: mine }',
    'agents:',
    '  mine:',
    '    provider: cli',
    '    model: m-1',
    `    baseUrl: ${server.url}/v1`,
    '    keyVariable: OWN_CLI_KEY',
    '    prices: { input: 10, output: 100 }',
    '    program:',
    `      command: [${join(bin, 'own')}, --model, '{model}']`,
    "      env: { OWN_URL: '{baseUrl}' }",
    '      keyInside: OWN_KEY',
    '      text: $.answer',
    '      tokens: { input: $.usage.in, output: $.usage.out }',
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), lines.join('\n'))
  return { server, cwd, env: { OWN_CLI_KEY: key } }
}

it('a CLI described by bench.config.yaml is asked and billed, and replay needs neither file nor program', async () => {
  const { server, cwd, env } = await folderWithCli()
  const method = join(cwd, 'ask.mjs')
  writeFileSync(
    method,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'ask', summary: 'Two asks.', roles: { solver: 'decide' }, options: z.object({}),
  async run({ ask }) {
    await ask('solver', '[ask] the model')
    return { answer: await ask('solver', '[ask] the model again'), stopReason: 'done' }
  },
})
`,
  )
  const folder = join(cwd, 'run')
  await benchOk(['--quiet', '--out', folder, '--methods', method], { cwd, env })
  const name = 'mine=cli:m-1'
  const asks = stepsOf(folder).filter((step): step is AskStep => step.kind === 'ask')
  expect(asks.map(({ agent, error }) => [agent, error])).toEqual([
    [name, undefined],
    [name, undefined],
  ])
  // The provider's counts, not the program's own.
  for (const { tokens, costUsd, costSource } of asks)
    expect([tokens.input, tokens.output, costUsd, costSource]).toEqual([500, 20, 0.007, 'file'])
  expect(server.asked()).toBe(2)
  expect(recordsOf(folder)[0]?.outcome.status).toBe('completed')
  const text = readFileSync(join(folder, 'run.json'), 'utf8')
  const { agentSettings, agentVersions } = JSON.parse(text) as RunManifest
  expect(agentSettings?.[name]?.program?.text).toBe('$.answer')
  expect(agentVersions).toEqual({ [name]: '4.5.6' })
  expect(text + readFileSync(join(folder, 'steps.jsonl'), 'utf8')).not.toContain(key)
  await benchOk(['replay', folder], { cwd: tempFolder() })
})

it('bench doctor shows a described CLI, asks it for a word, and a run reports what it lacks', async () => {
  const { cwd, env } = await folderWithCli()
  const text = await benchOk(['doctor'], { cwd, env })
  expect(text).toMatch(
    /^ok +agent mine +cli \(http:\/\/127\.0\.0\.1:\d+\/v1, OWN_CLI_KEY\); version 4\.5\.6; context window unknown$/m,
  )
  expect(text).not.toContain('cli[:MODEL]')
  // It answers this word by itself.
  const called = await bench(['doctor', '--call', 'mine'], { cwd, env })
  expect([called.code, `${called.stdout}${called.stderr}`]).toEqual([
    1,
    expect.stringContaining('the program never asked its model'),
  ])
  await refused(argv`--out ${join(cwd, 'run')}`, [/OWN_CLI_KEY is not set/], {
    cwd,
    env: { OWN_CLI_KEY: undefined },
  })
  await refused(argv`--agents cli --no-config --mode live --tasks 1 --methods baseline`, [
    /\[agent cli\] has no program/,
  ])
})
