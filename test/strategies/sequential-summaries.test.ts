import { describe, expect, it } from 'vitest'
import { type Line, play } from '../../src/testing.ts'
import { sequential } from '../../strategies/sequential.ts'
import { audit, begin, type Role, satisfied, unsatisfied } from '../helpers/runs/sequential-lines.ts'

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
  const first: Line<Role>[] = [
    ['auditor', audit(0, 'nothing is there')],
    ['code-generator', 'draft'],
  ]

  it('replace the contract in prompts, and are measured', async () => {
    const { result, asks, notes } = await play(sequential, { contractTokens: 250 }, [
      ['contract-writer', long],
      ['summarizer', short],
      ...first,
      ...rest,
    ])
    expect(asks.find(({ role }) => role === 'auditor')?.show.contract).toBe(short)
    const summaries = result.state?.summaries as { kind: string; how: string }[]
    expect(summaries.map(({ kind, how }) => `${kind}: ${how}`)).toEqual([
      'contract: agent',
      'violations: unchanged',
      'evaluator context: unchanged',
    ])
    expect(summaries[0]).toMatchObject({ recall: 1, tokenizer: 'estimate: 4 characters a token' })
    expect(notes.filter(({ type }) => type === 'summary')).toHaveLength(3)
    expect(result.state?.summaryTotals).toMatchObject({ summaries: 3, shortened: 1, fallbackShare: 0 })
  })

  it('are repaired once, then extracted, when they lose the facts', async () => {
    const { result } = await play(sequential, { contractTokens: 250 }, [
      ['contract-writer', long],
      ['summarizer', 'It helps.'],
      ['summarizer', 'It helps a lot.'],
      ...first,
      ...rest,
    ])
    expect(result.state?.summaries).toMatchObject([{ how: 'extractive' }, {}, {}])
    expect(result.state?.summaryTotals).toMatchObject({ fallbacks: 1, fallbackShare: 1 })
  })

  it('ask no agent when the option is extractive', async () => {
    const options = { contractTokens: 250, summarizer: 'extractive' } as const
    const { result } = await play(sequential, options, [['contract-writer', long], ...first, ...rest])
    expect(result.state?.summaries).toMatchObject([{ how: 'extractive' }, {}, {}])
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
    expect(asks.find(({ role }) => role === 'refiner')?.show.contract, 'what is rewritten is whole').toBe(
      long,
    )
    const summaries = result.state?.summaries as { kind: string; after: number }[]
    const largest = (kind: string) =>
      Math.max(...summaries.filter((one) => one.kind === kind).map(({ after }) => after))
    expect(summaries.map(({ kind }) => kind)).toMatchSnapshot()
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
    expect(audits.map(({ show }) => show['last reply'])).toEqual(['draft 1', 'draft 2', 'draft 3'])
    expect(audits.map(({ show }) => /one|two|three/.exec(show.files ?? '')?.[0])).toEqual([
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
