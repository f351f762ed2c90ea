import { describe, expect, it } from 'vitest'
import { controlData, controlReply } from '../../../src/agents/providers/built-in.ts'
import { resolveOptions } from '../../../src/commands/methods/documents.ts'
import type { Task } from '../../../src/schema/task.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy.ts'
import { type Line, play } from '../../../src/testing.ts'
import { sequential } from '../../../strategies/sequential.ts'
import { askingStrategies, variants } from '../../helpers/runs/method-variants.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'
import { audit, begin, type Role, satisfied, unsatisfied } from '../../helpers/runs/sequential-lines.ts'
import { agentOf, answerTask, playTrial } from '../../helpers/runs/trial.ts'

/** Approves of everything, also of nothing, and says the nth of these words each time that it is to do the task. */
const approving = (...words: string[]) => agentThatApproves(() => true, words)
/** The same, but approves of nothing before it has done something. */
const fair = (...words: string[]) => agentThatApproves((produced) => produced > 0, words)

function agentThatApproves(approves: (produced: number) => boolean, words: string[]) {
  let produced = 0
  return agentOf((request) => {
    const isProducing = request.work === 'produce' && !request.schema
    const text = isProducing ? (words[Math.min(produced++, words.length - 1)] as string) : 'All is well.'
    return controlReply(request, controlData(request, approves(produced), text))
  })
}

const methods = askingStrategies.flatMap((strategy) =>
  [{}, ...(variants[strategy.name] ?? [])].map((options) => [strategy.name, options, strategy] as const),
)

const run = (
  strategy: Strategy,
  options: object,
  task: Task,
  agent = approving('It is all there already.'),
) =>
  playTrial({
    agent,
    strategy,
    task,
    options: { ...resolveOptions(strategy, strategy.options.parse(options), true) },
  })

const wantsFiles = codeTask({ spec: { graders: [{ kind: 'pattern', require: ['add'] }] } })
const wantsAnswer = answerTask()
const kept = wantsFiles.files['src/sum.mjs'] as string
const block = (text: string) => `FILE: src/sum.mjs\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`

describe.each(methods)('%s %j', (_, options, strategy) => {
  it.each([
    ['text without files', [`I leave the files as they are.`]],
    ['unchanged files', [block(kept)]],
  ])('halts if the task wants files and its agents gave only %s', async (_, words) => {
    const { record } = await run(strategy, options, wantsFiles, approving(...words))
    expect(record).toMatchObject({ outcome: { status: 'completed' }, delivered: null, claimed: 'halted' })
    expect(record.detail).toMatch(/^nothing was handed in/)
  })

  it('keeps its own claim if something was handed in', async () => {
    const files = await run(strategy, options, wantsFiles, fair(block('export const add = 1')))
    expect(files.record).toMatchObject({ delivered: expect.any(String), outcome: { status: 'completed' } })
    const answer = await run(strategy, options, wantsAnswer, fair('Answer: 42'))
    expect(answer.record).toMatchObject({ delivered: expect.any(String), outcome: { status: 'completed' } })
    for (const { record } of [files, answer]) expect(record.detail ?? '').not.toMatch(/nothing was handed in/)
    expect(answer.record.claimed).toBe('done')
  })
})

describe('an answer that is empty', () => {
  it.each(['', ' \n\t'])('counts as nothing delivered: %j', async (answer) => {
    const own = defineStrategy({ ...sequential, run: async () => ({ answer, stopReason: 'done' }) })
    const { record } = await run(own, {}, wantsAnswer)
    // The claim of a user's method stays unchanged.
    expect(record).toMatchObject({ delivered: null, claimed: 'done', passed: false })
  })

  it('differs from an answer of one letter', async () => {
    const own = defineStrategy({ ...sequential, run: async () => ({ answer: '0', stopReason: 'done' }) })
    expect((await run(own, {}, wantsAnswer)).record.delivered).toEqual(expect.any(String))
  })
})

describe('delivers()', () => {
  it('looks at the branch, before and after adoption, with a given answer or the last reply', async () => {
    const seen: boolean[] = []
    const own: Strategy = {
      ...sequential,
      roles: { solver: 'produce' },
      declaration: { flow: 'solver', stop: '', context: '' },
      async run(context) {
        seen.push(context.delivers(), context.delivers('42'))
        const workspace = await context.branch('a', async (branch) => {
          await branch.ask('solver', 'Go.')
          seen.push(branch.delivers(), branch.delivers(''))
          return branch.workspace
        })
        seen.push(context.delivers())
        context.workspace.adopt(workspace)
        seen.push(context.delivers())
        return { stopReason: 'done' }
      },
    }
    await run(own, {}, wantsAnswer, approving('Answer: 42'))
    expect(seen).toEqual([false, true, true, false, false, true])
    seen.length = 0
    await run(own, {}, wantsFiles, approving(block('export const add = 1')))
    expect(seen).toEqual([false, false, true, true, false, true])
  })
})

describe('sequential', () => {
  const end: Line<Role>[] = [
    ['auditor', audit(0.9)],
    ['evaluator', satisfied],
    ['pr-writer', 'Done.'],
  ]

  it('works although the first audit found an empty workspace compliant, and counts that audit as 0', async () => {
    const lines: Line<Role>[] = [
      begin,
      ['auditor', audit(0.94)],
      ['code-generator', 'draft', { a: 'b' }],
      ...end,
    ]
    for (const output of ['answer', 'files'] as const) {
      const { result } = await play(sequential, {}, lines, { output, files: { a: '' } })
      expect(result).toMatchObject({
        stopReason: 'done',
        answer: 'draft',
        detail: 'the evaluator was satisfied',
      })
      expect(result.state).toMatchObject({ compliance: [[0, 0.9]], inner: 1, outer: 1 })
    }
  })

  it('works although the wanted compliance is 0', async () => {
    const lines: Line<Role>[] = [begin, ['auditor', audit(0)], ['code-generator', 'draft'], ...end]
    expect((await play(sequential, { compliance: 0 }, lines)).result.stopReason).toBe('done')
  })

  it('believes an audit of existing files except its compliance', async () => {
    const lines: Line<Role>[] = [begin, ['auditor', audit(0.7, 'R9')], ['code-generator', 'draft'], ...end]
    expect((await play(sequential, {}, lines)).result.state).toMatchObject({ compliance: [[0.7, 0.9]] })
  })

  it('does not adapt its limits to an audit of nothing', async () => {
    const lines: Line<Role>[] = [begin, ['auditor', audit(1)], ['code-generator', 'draft'], ...end]
    const { result } = await play(sequential, { adaptive: true }, lines)
    expect(result.state).toMatchObject({ limits: { maxOuter: 5, maxInner: 10 } })
  })

  it('believes an audit that finds compliance once there is work', async () => {
    const { result } = await play(sequential, {}, [
      begin,
      ['auditor', audit(0, 'all')],
      ['code-generator', 'draft'],
      ['auditor', audit(0.9)],
      ['evaluator', unsatisfied('no')],
      ['refiner', 'R1: again'],
      ...end,
    ])
    expect(result).toMatchObject({ stopReason: 'done', state: { compliance: [[0, 0.9], [0.9]] } })
  })

  it('gives up as halted when every audit is of nothing', async () => {
    const idle: Line<Role>[] = [
      ['auditor', audit(1)],
      ['code-generator', 'I leave it.'],
    ]
    const lines: Line<Role>[] = [begin, ...idle, ...idle, ['auditor', audit(1)]]
    const { result } = await play(sequential, {}, lines, { output: 'files' })
    expect(result).toMatchObject({
      stopReason: 'halted',
      detail: 'nothing was handed in; compliance did not improve in 2 runs: 0, 0, 0',
      state: { satisfied: false, pr: '' },
    })
  })

  it('asks for no pull request without work', async () => {
    const lines: Line<Role>[] = [
      begin,
      ['auditor', audit(0, 'all')],
      ['code-generator', 'I leave it.'],
      ['evaluator', satisfied],
    ]
    const { result } = await play(sequential, { maxInner: 1 }, lines, { output: 'files' })
    expect(result.stopReason).toBe('halted')
    expect(result.detail).toBe('nothing was handed in; the evaluator was satisfied')
  })

  it('keeps the attempt that did something', async () => {
    const branch = (n: number, who: Role) => `round-1-run-1-attempt-${n}: ${who}` as const
    const { result, files } = await play(
      sequential,
      { parallel: 2 },
      [
        begin,
        ['auditor', audit(1)],
        [branch(1, 'code-generator'), 'I leave it.'],
        [branch(1, 'auditor'), audit(1)],
        [branch(2, 'code-generator'), 'draft', { a: 'b' }],
        [branch(2, 'auditor'), audit(0.8)],
        ['evaluator', satisfied],
        ['pr-writer', 'Done.'],
      ],
      { output: 'files', files: { a: '' } },
    )
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft', state: { compliance: [[0, 0.8]] } })
    expect(files).toEqual({ a: 'b' })
  })
})
