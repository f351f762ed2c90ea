import { describe, expect, it } from 'vitest'
import { type Line, play, type Scene } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { cascade } from '../../strategies/cascade.ts'

type Role = Exclude<keyof typeof cascade.roles, symbol | number>
const step = (n: number, reply: unknown, edits: object = {}): Line<Role> =>
  [`step-${n}: step-${n}` as Line<Role>[0], reply, edits] as Line<Role>
const refusal = new AgentError('refusal', 'no')
const judge = (accept: boolean): Line<Role> => ['judge', { reason: 'r', accept }]
const questions: Scene = { files: {} }
const code = (...checks: Scene['checks'] & object): Scene => ({ files: { f: 'old' }, checks })
const played = async (options: object, lines: Line<Role>[], scene: Scene) => {
  const { result, asks, files } = await play(cascade, options, lines, scene)
  const { cascade: state } = result.state as { cascade: { steps: object[]; decisions: { why: string }[] } }
  return { ...result, asked: asks.map(({ role }) => role), asks, files, cascade: state }
}

describe('until=agreement', () => {
  it('hands in the answer of which two steps agree, however each of them writes it, and asks no third', async () => {
    const ended = await played(
      {},
      [step(1, 'Answer: 1,000'), step(2, 'So it is 1000.\n\nAnswer: $1000.0')],
      questions,
    )
    expect(ended).toMatchObject({
      answer: expect.stringContaining('$1000.0'),
      stopReason: 'done',
      detail: 'step-2: step-1 and step-2 agree',
      asked: ['step-1', 'step-2'],
      cascade: {
        until: 'agreement',
        planned: ['step-1', 'step-2', 'step-3'],
        decisions: [{ after: 'step-2', accepted: true }],
        delivered: 'step-2',
      },
    })
  })

  it('asks the next step with the same words where they do not, and hands in its answer', async () => {
    const lines = [step(1, 'Answer: 1'), step(2, 'Answer: 2'), step(3, 'Answer: 1')]
    const { asks, ...ended } = await played({}, lines, questions)
    expect(ended).toMatchObject({ answer: 'Answer: 1', detail: 'after the last step: step-3' })
    expect(ended.cascade.decisions).toEqual([{ after: 'step-2', accepted: false, why: 'no two agree' }])
    expect(new Set(asks.map(({ prompt, show }) => JSON.stringify([prompt, show]))).size).toBe(1)
  })

  it('ends at a later step that agrees with any before it', async () => {
    const lines = [step(1, 'Answer: 1'), step(2, 'Answer: 2'), step(3, 'Answer: 1')]
    const { asked, detail } = await played({ steps: 4 }, lines, questions)
    expect(asked).toHaveLength(3)
    expect(detail).toBe('step-3: step-1 and step-3 agree')
  })

  it('does not take agreement for a reason to stop where visible checks fail', async () => {
    const lines = [1, 2, 3].map((n) => step(n, `${n}`, { f: `${n}` }))
    const { files, cascade } = await played({}, lines, code('failed', 'failed', 'passed'))
    expect(cascade.decisions[0]?.why).toBe('they agree, but visible checks fail')
    expect(files).toEqual({ f: '3' })
  })

  it('needs three steps', () => {
    expect(cascade.options.safeParse({ steps: 2 }).error?.issues[0]?.message).toMatch(
      /^must be at least 3 with/,
    )
    expect(cascade.options.safeParse({ steps: 2, until: 'checks' }).success).toBe(true)
  })
})

describe('until=checks', () => {
  const options = { until: 'checks' }
  it('begins each step with the files of the task, and ends where the visible checks pass', async () => {
    const lines = [step(1, 'one', { f: 'bad' }), step(2, 'two', { f: 'good' })]
    const { asks, ...ended } = await played(options, lines, code('failed', 'passed'))
    expect(ended).toMatchObject({ answer: 'two', stopReason: 'done', files: { f: 'good' } })
    for (const { show } of asks) expect(show.files).toContain('old')
  })

  it('hands in what passes most checks, of the dearest agent among equals, where none passes all', async () => {
    const passing = (passed: number) => ({ status: 'failed', passed, total: 3, output: '' }) as const
    const lines = [1, 2, 3].map((n) => step(n, `${n}`, { f: `${n}` }))
    const ended = await played(options, lines, code(passing(2), passing(2), passing(1)))
    expect(ended).toMatchObject({ answer: '2', stopReason: 'exhausted', files: { f: '2' } })
    expect(ended.cascade).toMatchObject({ delivered: 'step-2' })
  })

  it('never goes on where the task has no visible checks, and says so', async () => {
    const { asked, detail } = await played(options, [step(1, 'one')], questions)
    expect([asked, detail]).toEqual([['step-1'], 'step-1: the task has no visible checks'])
  })
})

describe('until=judge', () => {
  const options = { until: 'judge', steps: 2 }
  it('goes on until the judge accepts, which reads the work without its maker', async () => {
    const ended = await played(options, [step(1, 'Answer: 1'), judge(true)], questions)
    expect(ended).toMatchObject({ answer: 'Answer: 1', detail: 'step-1: the judge accepts it' })
    const { prompt, show } = ended.asks.at(-1) as (typeof ended.asks)[number]
    expect(JSON.stringify([prompt, show])).not.toMatch(/step-\d/)
    const second = await played(
      options,
      [step(1, 'Answer: 1'), judge(false), step(2, 'Answer: 2')],
      questions,
    )
    expect(second).toMatchObject({ answer: 'Answer: 2', asked: ['step-1', 'judge', 'step-2'] })
  })

  it('goes on where the judge gives nothing', async () => {
    const lines: Line<Role>[] = [step(1, 'Answer: 1'), ['judge', refusal], step(2, 'Answer: 2')]
    const { cascade, answer } = await played(options, lines, questions)
    expect(answer).toBe('Answer: 2')
    expect(cascade.decisions[0]?.why).toBe('the judge gave nothing: no')
  })
})

describe('a step that gives nothing', () => {
  it.each(['agreement', 'checks', 'judge'])(
    'until=%s: goes on, and its failure is recorded',
    async (until) => {
      const first = until === 'agreement' ? [step(1, refusal), step(2, 'Answer: 2')] : [step(1, refusal)]
      const rest = until === 'agreement' ? [step(3, 'Answer: 3')] : [step(2, 'Answer: 3')]
      const judged = until === 'judge' ? [judge(true)] : []
      const { answer, cascade } = await played({ until }, [...first, ...rest, ...judged], questions)
      expect(answer).toBe('Answer: 3')
      expect(cascade.steps[0]).toMatchObject({ role: 'step-1', failed: 'no' })
    },
  )

  it('hands in what a cheaper step gave if the last gives nothing, and throws the first failure if none gives anything', async () => {
    const lines = [step(1, 'Answer: 1'), step(2, 'Answer: 2'), step(3, refusal)]
    expect(await played({}, lines, questions)).toMatchObject({ answer: 'Answer: 2', stopReason: 'done' })
    const none = [1, 2, 3].map((n) => step(n, n === 1 ? refusal : new AgentError('timeout', 'late')))
    await expect(play(cascade, {}, none, questions)).rejects.toBe(refusal)
  })
})
