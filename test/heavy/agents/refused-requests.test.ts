import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { toolsOf } from '../../../src/commands/compare/tools-of.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { folderWith } from '../../cli/config-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, bench, benchOk, manifestOf, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

/** Asks its model, then what an agent's program has no business to ask: another path, another model, and a search by the provider. */
const program = `#!/usr/bin/env node
const ask = (path, body) => fetch(process.env.URL + path, { method: 'POST', headers: { 'x-api-key': process.env.KEY },
  body: JSON.stringify({ max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], ...body }) }).then((reply) => reply.text())
;(async () => {
  await ask('/v1/messages', { model: 'm' })
  for (let i = 0; i < 3; i++) await ask('/v1/messages/batches', { model: 'm' })
  await ask('/v1/messages', { model: 'dear' })
  const last = await ask('/v1/messages', { model: 'm', tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
  const error = process.argv.includes('--fails') ? { error: JSON.parse(last).error?.message } : {}
  console.log(JSON.stringify({ result: 'done', ...error }))
})()
`

async function setting(...args: readonly string[]) {
  const usage = { input: 100, output: 10 }
  const server = await startModelServer([{ text: 'Hello', usage, always: true }])
  onTestFinished(() => server.close())
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = mkdtempSync('/var/tmp/refused-cli-')
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  chmodSync(bin, 0o755)
  writeFileSync(join(bin, 'agent'), program, { mode: 0o755 })
  const cwd = tempFolder()
  const agent = {
    ...{
      provider: 'cli',
      model: 'm',
      baseUrl: server.url,
      keyVariable: 'MY_KEY',
      prices: { input: 1, output: 1 },
    },
    program: {
      ...{ command: [join(bin, 'agent'), ...args], env: { URL: '{baseUrl}' }, keyInside: 'KEY' },
      ...{ text: '$.result', error: '$.error' },
    },
  }
  const run = { mode: 'live', tasks: 'ferry-morning', methods: 'baseline', agents: 'mine' }
  writeFileSync(join(cwd, 'bench.config.yaml'), JSON.stringify({ run, agents: { mine: agent } }))
  return { server, at: { cwd, env: { MY_KEY: 'sk-refused-0123456789' } }, folder: join(cwd, 'run') }
}
const runArgs = ['--out', 'run', '--allow-unsandboxed', '--retries', '0']

it('requests that are not an agent’s are refused, and told in step, record, at the end and in bench show', async () => {
  const { server, at, folder } = await setting()
  const said = await benchOk(runArgs, at)
  expect(server.log.filter(({ number }) => number > 0)).toHaveLength(1)
  const [ask] = asksOf(folder)
  expect(ask).toMatchObject({ tokens: { input: 100, output: 10 }, refused: { total: 5 } })
  expect(ask?.refused?.requests.map(({ path, reason, times }) => [path, reason, times])).toEqual([
    ['/v1/messages/batches', expect.stringContaining('another address'), 3],
    ['/v1/messages', 'asks the model "dear"; its agent has m', 1],
    ['/v1/messages', expect.stringMatching(/"web_search_20250305".*--allow-provider-tools/), 1],
  ])
  expect(recordsOf(folder)).toMatchObject([{ outcome: { status: 'completed' }, refusedRequests: 5 }])
  expect(said.replace(/\s+/g, ' ')).toContain(
    "baseline: 5 requests of agents' programs to their provider did not pass",
  )
  const story = await benchOk(['show', 'run', recordsOf(folder)[0]?.trial as string], at)
  expect(story).toContain('3 x POST /v1/messages/batches: it is for another address')
  expect(story).toContain('5 requests to providers did not pass')
  expect(await benchOk(['replay', 'run'], at)).toContain('no divergence')
})

it('with --allow-provider-tools a search passes, is kept in the record, and is a tool of the row', async () => {
  const { server, at, folder } = await setting()
  await benchOk([...runArgs, '--allow-provider-tools'], at)
  expect(server.log.filter(({ number }) => number > 0)).toHaveLength(2)
  expect(recordsOf(folder)).toMatchObject([{ refusedRequests: 4, providerTools: ['web_search_20250305'] }])
  const manifest = manifestOf(folder)
  expect(manifest.allowProviderTools).toBe(true)
  expect(toolsOf(manifest).baseline?.names).toEqual([
    expect.stringMatching(/^own tools of /),
    expect.stringMatching(/^tools that the provider of .* runs$/),
  ])
  const { allowProviderTools: _, ...without } = manifest
  expect(toolsOf(without as RunManifest).baseline?.names).toHaveLength(1)
  await refused(
    argv`--resume run --allow-provider-tools`,
    ['--allow-provider-tools', 'conflicts with --resume'],
    at,
  )
})

it('a program that fails behind a refusal has that reason, with the remedy', async () => {
  const { at, folder } = await setting('--fails')
  const { code, stderr } = await bench(runArgs, at)
  expect([code, stderr]).toEqual([1, expect.stringContaining('the first error: request: ')])
  expect(asksOf(folder)[0]?.error).toMatchObject({
    reason: 'request',
    message: expect.stringMatching(/web_search_20250305.*--allow-provider-tools/),
  })
})

const env = { OPENAI_API_KEY: 'sk-live-test-0123456789abcdef' }

it('one agent that thinks longer runs beside a quick one, as trials of its own', async () => {
  const server = await startModelServer([{ text: 'Answer: 84', always: true }])
  onTestFinished(() => server.close())
  const cwd = folderWith(
    'run: { mode: live, tasks: ferry-morning, methods: [baseline], agents: [quick, thinker], allowUnsandboxed: true }',
    'agents:',
    '  quick: { provider: openai, model: gpt-5, reasoning: low }',
    '  thinker: { provider: openai, model: gpt-5, reasoning: high }',
  )
  const folder = join(cwd, 'run')
  await benchOk(['--quiet', '--out', folder], { cwd, env: { ...env, OPENAI_BASE_URL: `${server.url}/v1` } })
  const efforts = server.log.flatMap(({ number, body }) =>
    number > 0 ? [(body as { reasoning?: { effort: string } }).reasoning?.effort] : [],
  )
  expect(efforts.sort()).toEqual(['high', 'low'])
  const { agentSettings } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunManifest
  expect(agentSettings).toEqual({
    'quick=openai:gpt-5': { reasoning: 'low' },
    'thinker=openai:gpt-5': { reasoning: 'high' },
  })
  expect(new Set(recordsOf(folder).map(({ trial }) => trial)).size).toBe(2)
})

it('settings that a provider or a model does not take are refused together, and nothing is asked', async () => {
  const server = await startModelServer([])
  onTestFinished(() => server.close())
  const cwd = folderWith(
    'run: { mode: live, tasks: ferry-morning, methods: [baseline], agents: [cold, seeded], allowUnsandboxed: true }',
    'agents:',
    '  cold: { provider: openai, model: gpt-5, temperature: 0.2 }',
    '  seeded: { provider: openai, model: gpt-5, seed: 7 }',
    '  other: { provider: gemini-cli, model: m, temperature: 0.2 }',
    '  budget: { provider: openai-compatible, model: m, reasoning: 2000 }',
    '  leaky: { provider: openai-compatible, model: m, providerOptions: { api_key: planted-value-0123 } }',
  )
  await refused(
    argv`--quiet --out ${join(cwd, 'run')}`,
    [
      /agent cold=openai:gpt-5\] temperature would not reach the model: temperature is not supported/,
      /agents\.seeded\.seed\] "openai" does not take seed\. Leave it out\. The settings of "openai" are .*reasoning/,
      /agents\.other\.temperature\] "gemini-cli" does not take temperature/,
      /agents\.budget\.reasoning\] "openai-compatible" takes no budget in tokens \(2000\)/,
      /agents\.leaky\.providerOptions\.api_key\] is a key or header/,
    ],
    { cwd, env: { ...env, OPENAI_BASE_URL: `${server.url}/v1` } },
  )
  expect(server.asked()).toBe(0)
})
