import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePlan } from '../../../src/loop/plan/plan.ts'
import { addSpend, computeMatch, createMatching, noSpend } from '../../../src/loop/trial/matched-attempts.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Trial } from '../../../src/schema/ledger/trial.ts'

const record = (trial: string, tokens: number, change: object = {}) =>
  ({
    ...{ trial, simulated: true, mode: 'dev' },
    outcome: { status: 'completed', reason: '' },
    spent: {
      ...{ input: tokens, output: 0, cached: 0, costUsd: tokens / 1000, calls: 1, checks: 0 },
      ...{ unreportedTokens: 0, unreportedCost: 0, ...change },
    },
  }) as unknown as TrialRecord
const spendOf = (...tokens: number[]) => {
  const spend = noSpend()
  for (const one of tokens) addSpend(spend, record('t', one))
  return spend
}
const match = { method: 'seq', unit: 'tokens', baseline: 'base' } as const

describe('a matched budget', () => {
  it('is at least one, and the number of attempts whose cost is nearest to the mean spending', () => {
    expect(computeMatch(match, spendOf(1000, 2000), spendOf(200, 400))).toEqual({
      ...{ method: 'seq', unit: 'tokens', spent: 1500, baseline: 300, attempts: 5 },
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e5 }), (spent, one) => {
        const { attempts } = computeMatch(match, spendOf(spent), spendOf(one))
        const off = (n: number) => Math.abs(n * one - spent)
        expect(Number.isInteger(attempts) && attempts >= 1).toBe(true)
        expect(off(attempts)).toBeLessThanOrEqual(off(attempts + 1))
        if (attempts > 1) expect(off(attempts)).toBeLessThanOrEqual(off(attempts - 1))
      }),
    )
  })

  it('counts dollars and calls as well, and ignores trials that ended in error', () => {
    const spend = spendOf(1000, 3000)
    addSpend(spend, { ...record('e', 9e9), outcome: { status: 'error', reason: '' } })
    expect(computeMatch({ ...match, unit: 'dollars' }, spend, spendOf(1000)).attempts).toBe(2)
    expect(computeMatch({ ...match, unit: 'calls' }, spend, spendOf(1)).attempts).toBe(1)
  })

  it('throws when spending is unknown, or the baseline spends nothing', () => {
    const unknown = noSpend()
    addSpend(unknown, record('t', 100, { unreportedTokens: 1 }))
    expect(() => computeMatch(match, unknown, spendOf(1))).toThrow(
      'the tokens that seq spent on this task are not known',
    )
    expect(() => computeMatch(match, spendOf(1), noSpend())).toThrow('base spent on this task are not known')
    expect(() => computeMatch(match, spendOf(1), spendOf(0))).toThrow('base spent no tokens')
    expect(computeMatch(match, spendOf(0), spendOf(0)).attempts).toBe(1)
  })
})

describe('a plan with a matched budget', () => {
  const method = (label: string, more = {}) => ({ label, strategy: label, options: {}, digest: 'd', ...more })
  const others = ['seq', 'base', 'other'].map((label) => method(label))
  const input = {
    tasks: ['x', 'y'].map((ref) => ({ ref, digest: ref, limits: {} })),
    methods: [method('control', { match }), ...others],
    agents: { '*': 'a' },
    profile: null,
    limits: {},
    seed: 1,
    epochs: 3,
  }
  const plan = makePlan(input)
  const trials = [...plan]
  const trialsOf = (task: string, ...labels: string[]) =>
    trials.filter(({ cell }) => cell.task === task && labels.includes(cell.method.label))

  it('puts the control at the end of each task’s block', () => {
    expect(trials.map(({ cell }) => cell.method.label === 'control')).toEqual(
      [0, 1].flatMap(() => [...Array(9).fill(false), ...Array(3).fill(true)]),
    )
  })

  it('waits for all epochs of both methods in any order, including those of earlier sessions', async () => {
    const matching = createMatching(plan, () =>
      trialsOf('x', 'seq')
        .slice(0, 1)
        .map(({ id }) => record(id, 600)),
    )
    const [control] = trialsOf('x', 'control')
    let budget: unknown
    const waiting = matching?.budget(control as Trial).then((made) => {
      budget = made?.()
    })
    const left = [...trialsOf('x', 'base'), ...trialsOf('x', 'seq').slice(1)]
    for (const trial of trialsOf('y', 'seq', 'base')) matching?.endTrial(trial, record(trial.id, 1e6))
    for (const trial of left) {
      await Promise.resolve()
      expect(budget).toBeUndefined()
      matching?.endTrial(trial, record(trial.id, trial.cell.method.label === 'base' ? 100 : 300))
    }
    await waiting
    expect(budget).toMatchObject({ spent: 400, baseline: 100, attempts: 4 })
  })

  it('leaves a control out when a trial that it depends on does not end in this session', async () => {
    const matching = createMatching(plan, () => [])
    for (const trial of trialsOf('x', 'seq', 'base').slice(1)) matching?.endTrial(trial, record(trial.id, 1))
    matching?.endTrial(trialsOf('x', 'seq', 'base')[0] as Trial, undefined)
    expect(await matching?.budget(trialsOf('x', 'control')[0] as Trial)).toBeUndefined()
  })

  it('has no matching when no method has a matched budget', () => {
    expect(createMatching(makePlan({ ...input, methods: others }), () => [])).toBeUndefined()
  })
})
