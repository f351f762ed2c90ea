import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StageStep } from '../../../src/schema/ledger/stage-step.ts'
import { nobody, withoutWall } from '../../helpers/graph/graphs.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'
import { chainOf, endsOf, programOf, stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(() => 'a reply')
const noSandbox: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))

const testing = `for (const rawTokens of [1000, 50])
  await bench.request({ saving: { tool: 'test-runner', rawTokens, compactTokens: 100 } })`
const building = `await bench.request({ ask: { role: 'planner', prompt: 'p' } })
await bench.request({ saving: { tool: 'build-checker', rawTokens: 0, compactTokens: 16 } })`
const strategy = chainOf(['build', stageOf(building)], ['test', stageOf(testing)], ['plan', stageOf('')])
const rows = [
  { stage: 'build', tool: 'build-checker', rawTokens: 0, compactTokens: 16 },
  { stage: 'test', tool: 'test-runner', rawTokens: 1000, compactTokens: 100 },
  { stage: 'test', tool: 'test-runner', rawTokens: 50, compactTokens: 100 },
]

it.each(['dev', 'live'] as const)(
  'in %s mode the savings of a stage are in its step and in the record, and stay there on resume and replay',
  async (mode) => {
    const setting = { agent, strategy, task: filesTask(), mode }
    const played = await playTrial(setting)
    const stages = played.steps.flatMap((step) => (step.kind === 'stage' ? [StageStep.parse(step)] : []))
    expect(stages.map(({ savings }) => savings?.length)).toEqual([1, 2, undefined])
    expect(played.record.savings).toEqual(rows)
    const lines = readFileSync(join(played.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
    for (let cut = 0; cut <= lines.length; cut++) {
      const folder = tempFolder()
      cpSync(played.folder, folder, { recursive: true })
      const kept = lines.slice(0, cut).map((line) => `${line}\n`)
      writeFileSync(join(folder, 'steps.jsonl'), kept.join(''))
      const resumed = await playTrial({ ...setting, folder })
      expect(resumed.record.savings).toEqual(rows)
    }
    const replayed = await playTrial({
      ...setting,
      ...{ agent: nobody, folder: played.folder, replay: true, sandbox: noSandbox },
    })
    expect(replayed.divergences).toEqual([])
    expect(withoutWall(replayed)).toEqual(withoutWall(played))
  },
)

it('the savings of a trial that knows the reference solution are kept, though the texts of its stages are withheld', async () => {
  const oracle = agentOf(() => ({ text: 'FILE: a.txt\n```\nthe solution\n```', secret: true }))
  const program = stageOf(`await bench.request({ ask: { role: 'solver', prompt: 'p' } })\n${testing}`)
  const setting = { agent: oracle, strategy: chainOf(['test', program]), task: filesTask() }
  const played = await playTrial(setting)
  expect(played.steps.find(({ kind }) => kind === 'stage')).toMatchObject({
    resultHash: expect.any(String),
    savings: [{ rawTokens: 1000 }, { rawTokens: 50 }],
  })
  expect(played.steps.find(({ kind }) => kind === 'stage')).not.toHaveProperty('log')
  expect(played.record.savings).toEqual(rows.slice(1))
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

it('savings of stages side by side stand in the order of the clock', async () => {
  const program = (tool: string, asks: number) =>
    stageOf(`for (let i = 0; i < ${asks}; i++) await bench.request({ ask: { role: 'planner', prompt: 'p' } })
await bench.request({ saving: { tool: '${tool}', rawTokens: 2, compactTokens: 1 } })`)
  const sideBySide = strategyOf(async (context: AnyContext) => {
    const run = (name: string, asks: number) =>
      context.branch(name, (own: AnyContext) => own.stage('s', program(name, asks)))
    await Promise.all([run('slow', 3), run('quick', 1), run('same', 1)])
    return { stopReason: 'done', answer: '42' }
  })
  const { record } = await playTrial({ agent, strategy: sideBySide, task: filesTask(), mode: 'dev' })
  expect(record.savings?.map(({ tool }) => tool)).toEqual(['quick', 'same', 'slow'])
})

it('a saving stands in the record whether its stage ends well, fails or crashes', async () => {
  const code = (end: string) =>
    stageOf(`await bench.request({ saving: { tool: 't', rawTokens: 10, compactTokens: 5 } })\n${end}`)
  const ends = { good: '', bad: 'process.exit(1)', crashed: "process.kill(process.pid, 'SIGSEGV')" }
  const chain = chainOf(...Object.entries(ends).map(([id, end]) => [id, code(end)] as const))
  const played = await playTrial({ agent, strategy: chain, task: filesTask() })
  expect(endsOf(played).map(({ exitCode }) => exitCode)).toEqual([0, 1, null])
  expect(played.record.savings?.map(({ stage }) => stage)).toEqual(['good', 'bad', 'crashed'])
})

it('a wrong saving is answered as invalid and is written nowhere', async () => {
  const wrong = [
    { tool: 't', rawTokens: -1, compactTokens: 0 },
    { tool: 't', rawTokens: 1.5, compactTokens: 0 },
    { tool: 't', rawTokens: 1, compactTokens: 1e300 },
    { tool: 't', rawTokens: 1e15, compactTokens: 1 },
    { tool: 't', rawTokens: 2 ** 24 + 1, compactTokens: 1 },
    { tool: 't', rawTokens: 1, compactTokens: 2 ** 24 + 1 },
    { tool: 't', rawTokens: '1', compactTokens: 1 },
    { tool: 't', rawTokens: 1 },
    { tool: '', rawTokens: 1, compactTokens: 1 },
    { tool: 'the answer\n42', rawTokens: 1, compactTokens: 1 },
    { tool: 'x'.repeat(101), rawTokens: 1, compactTokens: 1 },
    { tool: 't', rawTokens: 1, compactTokens: 1, share: 2 },
    [],
    null,
    true,
  ]
  const program = programOf('own.mjs', {
    code: `import { open, writeState } from './client.mjs'
const bench = open()
await bench.hello()
const out = []
for (const saving of ${JSON.stringify(wrong)}) out.push(await bench.request({ saving }))
writeState({ out })
bench.close()`,
  })
  const played = await playTrial({ agent, strategy: chainOf(['one', program]), task: filesTask() })
  const { out } = JSON.parse(endsOf(played)[0]?.state ?? '')
  expect(out.map(({ error }: { error: { reason: string } }) => error.reason)).toEqual(
    wrong.map(() => 'invalid'),
  )
  expect(played.record.savings).toBeUndefined()
  expect(played.steps.find(({ kind }) => kind === 'stage')).not.toHaveProperty('savings')
})
