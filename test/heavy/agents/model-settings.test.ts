import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { folderWith } from '../../cli/config-scenario.ts'
import { benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

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
    ['--quiet', '--out', join(cwd, 'run')],
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
