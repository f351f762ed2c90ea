import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { folderWith } from '../../cli/config-scenario.ts'
import { benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const strategy = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'planned',
  summary: 'Plans, then answers.',
  roles: { planner: 'decide', solver: 'produce' },
  options: z.object({}),
  async run({ ask }) {
    const { steps } = await ask('planner', 'Plan.', { shape: z.object({ steps: z.array(z.string()) }) })
    return { answer: await ask('solver', steps.join()), stopReason: 'done' }
  },
})
`

it('an agent with structured: native sends the schema of asks for data alone, and the ledger says where', async () => {
  const server = await startModelServer([
    { text: '{"steps": ["Count."]}' },
    { text: 'Answer: 84', always: true },
  ])
  onTestFinished(() => server.close())
  const cwd = folderWith(
    'run: { mode: live, tasks: ferry-morning, methods: [./planned.mjs], allowUnsandboxed: true }',
    'agents:',
    '  held: { provider: openai-compatible, model: m, structured: native }',
    '  free: { provider: openai-compatible, model: m, maxOutput: 400 }',
    `providers: { openai-compatible: { baseUrl: "${server.url}/v1" } }`,
  )
  writeFileSync(join(cwd, 'planned.mjs'), strategy)
  const run = async (agent: string) => {
    const folder = join(cwd, agent)
    await benchOk(['--agents', agent, '--quiet', '--out', folder], { cwd })
    const manifest = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunManifest
    const asks = stepsOf(folder).filter((step): step is AskStep => step.kind === 'ask')
    return { folder, manifest, asks, trial: recordsOf(folder)[0]?.trial }
  }
  const held = await run('held')
  const free = await run('free')
  const bodies = server.log.flatMap(({ number, body }) =>
    number > 0 ? [body as { response_format?: object }] : [],
  )
  expect(bodies.map((body) => 'response_format' in body)).toEqual([true, false, false, false])
  expect(held.asks.map(({ structured }) => structured)).toEqual(['native', undefined])
  expect(free.asks.map(({ structured }) => structured)).toEqual([undefined, undefined])
  expect(held.manifest.agentSettings).toEqual({ 'held=openai-compatible:m': { structured: 'native' } })
  expect(held.trial).not.toBe(free.trial)
  expect(await benchOk(['replay', held.folder], { cwd })).toContain('no divergence')
})

it('a provider without structured output refuses the setting by its name', async () => {
  const args = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--agents', 'mine']
  const cwd = folderWith('agents:', '  mine: { provider: simulated, structured: native }')
  await refused(args, ['"simulated" does not take structured'], { cwd })
  const wrong = folderWith('agents:', '  mine: { provider: openai, model: m, structured: strict }')
  await refused(args, [/structured/], { cwd: wrong })
})
