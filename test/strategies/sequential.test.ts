import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { strategies } from '../../strategies/index.ts'
import { sequential } from '../../strategies/sequential.ts'
import { type Line, play } from '../helpers/play.ts'

type Role = keyof typeof sequential.roles
const audit = (compliance: number, ...violations: string[]) => ({
  compliance,
  violations: violations.map((text, i) => ({ id: `R${i + 1}`, text })),
})
const satisfied = { satisfied: true, feedback: '' }
const unsatisfied = (feedback: string) => ({ satisfied: false, feedback })
const repeat = (times: number, ...lines: Line<Role>[]) => Array.from({ length: times }, () => lines).flat()
const begin: Line<Role> = ['contract-writer', 'R1: add()']
const rising = (n: number): Line<Role>[] =>
  Array.from({ length: n }, (_, i) => [
    ['auditor', audit((i + 1) / 100, 'wrong')] as Line<Role>,
    ['code-generator', `draft ${i + 1}`] as Line<Role>,
  ]).flat()

describe('the two loops', () => {
  it('go from contract through audits and fixes to an evaluation and the pull request', async () => {
    const { result, asks, files } = await play(
      sequential,
      {},
      [
        begin,
        ['auditor', audit(0, 'nothing is there')],
        ['code-generator', 'draft 1', { 'a.mjs': 'one' }],
        ['auditor', audit(0.5, 'handle negatives')],
        ['code-generator', 'draft 2', { 'a.mjs': 'two' }],
        ['auditor', audit(0.8)],
        ['evaluator', satisfied],
        ['pr-writer', 'Adds add().'],
      ],
      { files: { 'a.mjs': '' }, checks: ['passed'], instruction: 'Write add().' },
    )
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 2' })
    expect(result.state).toMatchObject({
      outer: 1,
      inner: 2,
      compliance: [[0, 0.5, 0.8]],
      violations: [],
      satisfied: true,
      pr: 'Adds add().',
      contract: 'R1: add()',
      limits: { maxOuter: 5, maxInner: 10 },
    })
    expect(files).toEqual({ 'a.mjs': 'two' })
    const of = (role: Role) => asks.filter((ask) => ask.role === role)
    expect(of('contract-writer')[0]?.context.task).toBe('Write add().')
    expect(of('auditor')[1]?.context).toMatchObject({ contract: 'R1: add()', task: 'Write add().' })
    expect(of('auditor')[1]?.context.files).toContain('one')
    expect(of('code-generator')[1]?.context.violations).toBe('- R1: handle negatives')
    expect(of('evaluator')[0]?.context.checks).toContain('passed: 2 of 2')
    expect(of('evaluator')[0]?.context.work).toContain('+two')
  })

  it('refine the contract after a failed evaluation, reload its summary and audit against the new one', async () => {
    const { result, asks } = await play(
      sequential,
      {},
      [
        begin,
        ['auditor', audit(0.2, 'missing')],
        ['code-generator', 'draft 1'],
        ['auditor', audit(0.9)],
        ['evaluator', unsatisfied('negatives fail')],
        ['refiner', 'R1: add()\nR2: negatives'],
        ['auditor', audit(0.5, 'R2 fails')],
        ['code-generator', 'draft 2'],
        ['auditor', audit(1)],
        ['evaluator', satisfied],
        ['pr-writer', 'Adds.'],
      ],
      { checks: ['failed', 'passed'] },
    )
    expect(result.stopReason).toBe('done')
    expect(result.state).toMatchObject({
      outer: 2,
      inner: 1,
      compliance: [
        [0.2, 0.9],
        [0.5, 1],
      ],
      satisfied: true,
    })
    const refiner = asks.find(({ role }) => role === 'refiner')
    expect(refiner?.context).toMatchObject({ contract: 'R1: add()', feedback: 'negatives fail' })
    expect(refiner?.context.checks).toContain('test two failed')
    const later = asks.slice(asks.findIndex(({ role }) => role === 'refiner') + 1)
    const contracts = later.filter(({ role }) => role === 'auditor').map(({ context }) => context.contract)
    expect(contracts).toEqual(['R1: add()\nR2: negatives', 'R1: add()\nR2: negatives'])
    expect(later.find(({ role }) => role === 'code-generator')?.context.feedback).toBe('negatives fail')
  })

  it('evaluate after the inner limit even when the contract is not kept', async () => {
    const { result } = await play(sequential, { maxInner: 3 }, [
      begin,
      ...rising(3),
      ['evaluator', satisfied],
      ['pr-writer', 'Done.'],
    ])
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 3' })
    expect(result.state).toMatchObject({ inner: 3, compliance: [[0.01, 0.02, 0.03]] })
  })

  it('run ten times inside and five times outside, then are exhausted, without a last refinement', async () => {
    const round: Line<Role>[] = [...rising(10), ['evaluator', unsatisfied('no')]]
    const { result, asks } = await play(sequential, {}, [
      begin,
      ...repeat(4, ...round, ['refiner', 'R1: again']),
      ...round,
    ])
    expect(result).toMatchObject({
      stopReason: 'exhausted',
      detail: 'the evaluator was not satisfied in 5 rounds',
    })
    expect(result.state).toMatchObject({ outer: 5, inner: 10, satisfied: false, pr: '', feedback: 'no' })
    expect(asks.some(({ role }) => role === 'pr-writer')).toBe(false)
  })

  it('take the needed compliance from the options', async () => {
    const lines: Line<Role>[] = [
      begin,
      ['auditor', audit(0.5)],
      ['evaluator', satisfied],
      ['pr-writer', 'Done.'],
    ]
    expect((await play(sequential, { compliance: 0.5 }, lines)).result.stopReason).toBe('done')
    await expect(play(sequential, { compliance: 0.51 }, lines)).rejects.toThrow(/code-generator/)
  })

  it('end at their limits whatever the agents say', async () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    const limit = fc.integer({ min: 1, max: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fraction),
        fc.infiniteStream(fc.boolean()),
        limit,
        limit,
        fc.boolean(),
        async (compliances, verdicts, maxOuter, maxInner, adaptive) => {
          let asked = 0
          const ask = async (role: string) => {
            asked++
            if (role === 'auditor') return audit(compliances.next().value, 'wrong')
            return role === 'evaluator' ? { satisfied: verdicts.next().value, feedback: 'no' } : 'text'
          }
          const workspace = {
            list: () => [],
            read: () => undefined,
            diff: () => '',
            check: async () => ({ status: 'none' }),
          }
          const options = sequential.options.parse({ maxOuter, maxInner, adaptive })
          const checkpoint = async (state: object) => state
          const context = { instruction: 'Do.', options, ask, workspace, note: () => {}, checkpoint }
          const result = await sequential.run(context as unknown as Parameters<typeof sequential.run>[0])
          expect(asked).toBeLessThanOrEqual(1 + maxOuter * (2 * maxInner + 2))
          expect(['done', 'stuck', 'exhausted']).toContain(result.stopReason)
        },
      ),
    )
  })
})

describe('progress detection', () => {
  it('stops after two runs without improvement of compliance, and says so', async () => {
    const { result } = await play(sequential, {}, [
      begin,
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 1'],
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 2'],
      ['auditor', audit(0.4, 'still wrong')],
    ])
    expect(result).toMatchObject({
      stopReason: 'stuck',
      answer: 'draft 2',
      detail: 'compliance did not improve in 2 runs: 0.5, 0.5, 0.4',
    })
    expect(result.state).toMatchObject({ satisfied: false, violations: [{ id: 'R1', text: 'still wrong' }] })
  })

  it('is as patient as it is told to be', async () => {
    const { result } = await play(sequential, { patience: 1 }, [
      begin,
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 1'],
      ['auditor', audit(0.5, 'wrong')],
    ])
    expect(result.stopReason).toBe('stuck')
  })

  it('begins anew with each contract', async () => {
    const flat: Line<Role>[] = [
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft'],
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft'],
    ]
    const { result } = await play(sequential, { maxInner: 2, maxOuter: 2 }, [
      begin,
      ...flat,
      ['evaluator', unsatisfied('no')],
      ['refiner', 'R1: again'],
      ...flat,
      ['evaluator', unsatisfied('no')],
    ])
    expect(result.stopReason).toBe('exhausted')
  })
})

describe('summaries', () => {
  const long = Array.from(
    { length: 40 },
    (_, i) => `R${i + 1}: helper${i + 1}Fn does what it should do in every case.`,
  ).join('\n')
  const short = Array.from({ length: 40 }, (_, i) => `R${i + 1} helper${i + 1}Fn`).join(' ')
  const rest: Line<Role>[] = [
    ['auditor', audit(1)],
    ['evaluator', satisfied],
    ['pr-writer', 'Done.'],
  ]

  it('go to the agents in place of the contract, and are measured', async () => {
    const { result, asks, notes } = await play(sequential, { contractTokens: 250 }, [
      ['contract-writer', long],
      ['summarizer', short],
      ...rest,
    ])
    expect(asks.find(({ role }) => role === 'auditor')?.context.contract).toBe(short)
    const summaries = result.state?.summaries as { kind: string; how: string }[]
    expect(summaries.map(({ kind, how }) => `${kind}: ${how}`)).toEqual([
      'contract: agent',
      'evaluator context: unchanged',
    ])
    expect(summaries[0]).toMatchObject({ recall: 1, tokenizer: 'estimate: 4 characters a token' })
    expect(notes.filter(({ type }) => type === 'summary')).toHaveLength(2)
    expect(result.state?.summaryTotals).toMatchObject({ summaries: 2, shortened: 1, fallbackShare: 0 })
  })

  it('are repaired once, then extracted, when they lose the facts', async () => {
    const { result } = await play(sequential, { contractTokens: 250 }, [
      ['contract-writer', long],
      ['summarizer', 'It helps.'],
      ['summarizer', 'It helps a lot.'],
      ...rest,
    ])
    expect(result.state?.summaries).toMatchObject([{ how: 'extractive' }, {}])
    expect(result.state?.summaryTotals).toMatchObject({ fallbacks: 1, fallbackShare: 1 })
  })

  it('need no agent when they are to be extractive', async () => {
    const options = { contractTokens: 250, summarizer: 'extractive' } as const
    const { result } = await play(sequential, options, [['contract-writer', long], ...rest])
    expect(result.state?.summaries).toMatchObject([{ how: 'extractive' }, {}])
  })

  it('have a target for each kind of text', async () => {
    const lines = long.split('\n')
    const options = {
      contractTokens: 400,
      violationTokens: 100,
      evaluatorTokens: 150,
      summarizer: 'extractive',
    } as const
    const { result, asks } = await play(sequential, options, [
      ['contract-writer', long],
      ['auditor', audit(0, ...lines)],
      ['code-generator', 'done'],
      ['auditor', audit(0.9, ...lines)],
      ['evaluator', unsatisfied('no')],
      ['refiner', `${long}\n${long}`],
      ...rest,
    ])
    expect(asks.find(({ role }) => role === 'refiner')?.context.contract, 'what is rewritten is whole').toBe(
      long,
    )
    const summaries = result.state?.summaries as { kind: string; after: number }[]
    const largest = (kind: string) =>
      Math.max(...summaries.filter((one) => one.kind === kind).map(({ after }) => after))
    expect(summaries.map(({ kind }) => kind)).toEqual([
      'contract',
      'violations',
      'evaluator context',
      'contract',
      'evaluator context',
    ])
    expect(largest('contract')).toBeLessThanOrEqual(400)
    expect(largest('contract')).toBeGreaterThan(350)
    expect(largest('violations')).toBeLessThanOrEqual(100)
    expect(largest('evaluator context')).toBeLessThanOrEqual(150)
    expect(largest('evaluator context')).toBeGreaterThan(100)
  })
})

describe('parallel inner attempts', () => {
  const branch = (n: number, who: Role) => `round-1-run-1-attempt-${n}: ${who}` as const
  it('go on with files, answer and audit of the most compliant one', async () => {
    const { result, asks, files } = await play(
      sequential,
      { parallel: 3 },
      [
        begin,
        ['auditor', audit(0.1, 'nothing')],
        [branch(1, 'code-generator'), 'draft 1', { 'a.mjs': 'one' }],
        [branch(1, 'auditor'), audit(0.3)],
        [branch(2, 'code-generator'), 'draft 2', { 'a.mjs': 'two' }],
        [branch(2, 'auditor'), audit(0.9)],
        [branch(3, 'code-generator'), 'draft 3', { 'a.mjs': 'three' }],
        [branch(3, 'auditor'), audit(0.9)],
        ['evaluator', satisfied],
        ['pr-writer', 'Done.'],
      ],
      { files: { 'a.mjs': '' } },
    )
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 2' })
    expect(files).toEqual({ 'a.mjs': 'two' })
    expect(result.state).toMatchObject({ compliance: [[0.1, 0.9]], inner: 1 })
    const audits = asks.filter(({ role, branch }) => role === 'auditor' && branch !== '')
    expect(audits.map(({ context }) => context['last reply'])).toEqual(['draft 1', 'draft 2', 'draft 3'])
    expect(audits.map(({ context }) => /one|two|three/.exec(context.files ?? '')?.[0])).toEqual([
      'one',
      'two',
      'three',
    ])
  })
})

describe('adaptive limits', () => {
  it('shrink when the first audit of all finds little missing', async () => {
    const { result } = await play(sequential, { adaptive: true }, [
      begin,
      ['auditor', audit(0.7, 'a little')],
      ['code-generator', 'draft 1'],
      ['auditor', audit(0.71, 'a little')],
      ['code-generator', 'draft 2'],
      ['auditor', audit(0.72, 'a little')],
      ['code-generator', 'draft 3'],
      ['evaluator', unsatisfied('no')],
      ['refiner', 'R1: again'],
      ['auditor', audit(0.5, 'half')],
      ['code-generator', 'draft 4'],
      ['auditor', audit(0.55, 'half')],
      ['code-generator', 'draft 5'],
      ['auditor', audit(0.6, 'half')],
      ['code-generator', 'draft 6'],
      ['evaluator', unsatisfied('no')],
    ])
    expect(result.stopReason).toBe('exhausted')
    expect(result.state?.limits).toEqual({ maxOuter: 2, maxInner: 3 })
  })
})

describe('tasks that want an answer', () => {
  it('have it audited, evaluated and handed in as the generator gave it', async () => {
    const { answer, asks } = await play(sequential, {}, [
      begin,
      ['auditor', audit(0, 'no answer')],
      ['code-generator', 'I think.\nAnswer: 41'],
      ['auditor', audit(0.5, 'off by one')],
      ['code-generator', 'Now.\nAnswer: 42'],
      ['auditor', audit(1)],
      ['evaluator', satisfied],
      ['pr-writer', 'It is 42.'],
    ])
    expect(answer).toBe('Now.\nAnswer: 42')
    const replies = asks.filter(({ role }) => role === 'auditor').map(({ context }) => context['last reply'])
    expect(replies).toEqual(['', 'I think.\nAnswer: 41', 'Now.\nAnswer: 42'])
    expect(asks.find(({ role }) => role === 'evaluator')?.context.work).toContain('Answer: 42')
  })
})

it('labels the steps of each iteration, and those after the inner loop with the round alone', async () => {
  const { notes } = await play(sequential, {}, [
    begin,
    ['auditor', audit(0, 'all')],
    ['code-generator', 'draft'],
    ['auditor', audit(1)],
    ['evaluator', satisfied],
    ['pr-writer', 'Done.'],
  ])
  expect(notes.filter(({ type }) => type === 'iteration')).toEqual([
    { type: 'iteration', outer: 1, inner: 1 },
    { type: 'iteration', outer: 1, inner: 2 },
    { type: 'iteration', outer: 1 },
  ])
})

it('is found under the document’s name, as integrated is', () => {
  const names = strategies.flatMap(({ aliases = [] }) => aliases)
  expect(names).toEqual(['adc-integrated', 'adc-sequential'])
})
