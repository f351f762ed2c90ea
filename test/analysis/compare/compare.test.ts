import { describe, expect, it } from 'vitest'
import type { Comparison, PairComparison } from '../../../src/analysis/compare/comparison.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { verdictText } from '../../../src/reports/words/claim-words.ts'
import { UserError } from '../../../src/text/errors.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

describe('the primary outcome', () => {
  it('with one trial per task has Newcombe’s interval, McNemar’s mid-p and the exact test', () => {
    const { outcome, verdict } = onlyPair(
      compare([
        ...solves('a', 24, 30),
        ...trials('b', [...repeat('0', 12), ...repeat('1', 14), ...repeat('0', 4)]),
      ]),
    )
    expect(outcome).toMatchObject({
      interval: 'newcombe',
      test: 'mcnemar-mid-p',
      nTasks: 30,
      nDropped: 0,
      separated: 14,
      rerunSe: null,
      missing: null,
      refusal: null,
    })
    expect(outcome.estimate).toBeCloseTo(10 / 30, 12)
    expect(outcome.p as number).toBeLessThan(outcome.exactP as number)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
  })

  it('with several epochs is a paired t test of task means, with separate noise of a rerun', () => {
    const { outcome } = onlyPair(
      compare([
        ...trials('a', ['111', '110', '011', '111', '100', '111', '110', '111']),
        ...trials('b', ['110', '100', '011', '110', '100', '010', '000', '111']),
      ]),
    )
    expect(outcome).toMatchObject({ interval: 'paired-t', test: 'paired-t', nTasks: 8, separated: 5 })
    // With eight tasks the claim uses the greater of both p-values.
    expect(outcome.claimP).toBe(Math.max(outcome.p as number, outcome.exactP as number))
    expect(outcome.rerunSe as number).toBeGreaterThan(0)
  })

  it('with many differing tasks uses the t test alone', () => {
    const random = seededRandom('claim')
    const rows = (rate: number) =>
      Array.from({ length: 30 }, () =>
        Array.from({ length: 4 }, () => (random() < rate ? '1' : '0')).join(''),
      )
    const { outcome } = onlyPair(compare([...trials('a', rows(0.6)), ...trials('b', rows(0.4))]))
    expect(outcome.separated).toBeGreaterThan(15)
    expect(outcome.claimP).toBe(outcome.p)
  })

  it('below six tasks has an interval and no test, for one task only an estimate', () => {
    const few = onlyPair(compare([...solves('a', 5, 5), ...solves('b', 0, 5)]))
    expect(few.outcome).toMatchObject({ p: null, exactP: null, claimP: null, refusal: 'too-few-tasks' })
    expect(few.outcome.lower).not.toBeNull()
    expect(few.verdict).toEqual({ word: 'too-few-tasks' })
    const one = onlyPair(compare([...trials('a', ['111']), ...trials('b', ['010'])]))
    expect(one.outcome).toMatchObject({ lower: null, upper: null, p: null, refusal: 'one-task' })
    expect(one.outcome.estimate).toBeCloseTo(2 / 3, 12)
    expect(one.outcome.rerunSe as number).toBeGreaterThan(0)
    expect(one.planning).toMatchObject({ parts: null, mde: null, refusal: 'one-task' })
  })

  it('reports that no task separated the methods, with p = 1 and an interval with a width', () => {
    for (const rows of [repeat('1', 20), repeat('110', 20)]) {
      const { outcome, verdict } = onlyPair(compare([...trials('a', rows), ...trials('b', rows)]))
      expect(outcome).toMatchObject({ estimate: 0, p: 1, exactP: 1, separated: 0, refusal: 'not-separated' })
      expect((outcome.upper as number) - (outcome.lower as number)).toBeGreaterThan(0.1)
      expect(verdict).toEqual({ word: 'not-separated' })
    }
  })

  it('has no t and never p = 0 if every task differs by the same', () => {
    const { outcome, verdict } = onlyPair(
      compare([...trials('a', repeat('11', 12)), ...trials('b', repeat('10', 12))]),
    )
    expect(outcome).toMatchObject({
      estimate: 0.5,
      se: 0,
      test: 'sign-flip',
      // The limits of which method solves most epochs would be of another question.
      ...{ interval: null, lower: null, upper: null },
    })
    expect(outcome.p).toBeCloseTo(2 ** -11, 12)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
  })

  it('may be the score', () => {
    const scored = (method: string, shift: number) =>
      Array.from({ length: 12 }, (_, task) =>
        aRecord({ method, task: `s/${task}`, score: 0.3 + shift + 0.01 * ((task * 7) % 5), passed: false }),
      )
    const { outcome } = onlyPair(compare([...scored('a', 0.2), ...scored('b', 0)], { outcome: 'score' }))
    expect(outcome.estimate).toBeCloseTo(0.2, 12)
    expect(outcome.interval).toBeNull()
  })
})

describe('missing trials', () => {
  const rows = repeat('1', 20)
  it('drop their task from the pair, are counted, and bound the result if they could reverse it', () => {
    const some = [...repeat('-', 5), ...repeat('1', 8), ...repeat('0', 7)]
    const { outcome, verdict } = onlyPair(compare([...trials('a', rows), ...trials('b', some)]))
    expect(outcome).toMatchObject({ nTasks: 15, nDropped: 5 })
    expect(outcome.missing?.decides).toBe(false)
    expect(outcome.missing?.low).toBeCloseTo(7 / 20, 12)
    expect(outcome.missing?.high).toBeCloseTo(12 / 20, 12)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
    const most = [...repeat('-', 12), ...repeat('0', 8)]
    const half = [...repeat('0', 12), ...repeat('1', 8)]
    const turned = onlyPair(compare([...trials('a', half), ...trials('b', most)]))
    expect(turned.outcome.missing).toMatchObject({ decides: true })
    expect(turned.outcome.missing?.knownP as number).toBeLessThan(0.05)
    expect(turned.adjustedP).toBe(1)
    expect(turned.verdict).toEqual({ word: 'not-established' })
  })

  it('take a claim away that would not hold by the same test if they counted against the winner', () => {
    const ours = ['-', ...repeat('1', 19)]
    const theirs = (lost: number) => ['1', ...repeat('0', lost), ...repeat('1', 19 - lost)]
    const weak = onlyPair(compare([...trials('a', ours), ...trials('b', theirs(6))]))
    expect(weak.outcome.missing?.low).toBeCloseTo(5 / 20, 12)
    expect(weak.outcome.missing?.knownP as number).toBeLessThan(0.05)
    expect(weak.outcome.missing).toMatchObject({ worstP: weak.adjustedP, decides: true })
    expect(weak.adjustedP as number).toBeGreaterThan(0.05)
    expect(weak.verdict).toEqual({ word: 'not-established' })
    const strong = onlyPair(compare([...trials('a', ours), ...trials('b', theirs(9))]))
    expect(strong.outcome.missing).toMatchObject({ worstP: strong.adjustedP, decides: false })
    expect(strong.verdict).toEqual({ word: 'better', method: 'a' })
  })

  it('never turn a number into NaN, nor -0: all tables of two methods on one or two tasks', () => {
    const marks = ['1', '0', '-']
    const columns = [
      ...marks.map((mark) => [mark]),
      ...marks.flatMap((one) => marks.map((two) => [one, two])),
    ]
    for (const [a, b] of columns.flatMap((a) => columns.map((b) => [a, b] as const)))
      for (const costUsd of [0, 0.01, null]) {
        const spent = { input: 1, output: 0, costUsd, unreportedTokens: costUsd === null ? 1 : 0 }
        const comparison = compare([...trials('a', a, { spent }), ...trials('b', b, { spent })], {
          margin: 0.1,
          resamples: 5,
        })
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison)
      }
  })

  it('include planned trials without a record', () => {
    const comparison = compare([...trials('a', repeat('11', 8)), ...trials('b', repeat('1', 8))], {
      epochs: 2,
    })
    expect(comparison.methods.map(({ trials }) => trials.missing)).toEqual([0, 8])
    expect(onlyPair(comparison).outcome.missing).not.toBeNull()
  })

  it('in tokens do not affect success, and are never 0', () => {
    const known = trials('b', repeat('1', 8))
    const unknown = trials('a', repeat('1', 8), { spent: { unreportedTokens: 1, input: 0, output: 0 } })
    const comparison = compare([...known, ...unknown])
    expect(onlyPair(comparison).spent.tokens).toMatchObject({ nTasks: 0, nDropped: 8, refusal: 'no-task' })
    expect(comparison.methods[0]?.spent.tokens).toMatchObject({ mean: { estimate: null, nMissing: 8 } })
    expect(comparison.methods[0]?.success.estimate).toBe(1)
  })
})

describe('families', () => {
  const methods = [...solves('a', 20, 30), ...solves('b', 14, 30), ...solves('c', 8, 30)]
  it('are all pairs, adjusted over all of them', () => {
    const comparison = compare(methods)
    expect(comparison.family).toEqual({ kind: 'all-pairs', baseline: null, size: 3 })
    expect(comparison.pairs.map(({ a, b }) => `${a}-${b}`)).toEqual(['a-b', 'a-c', 'b-c'])
    const least = comparison.pairs[1] as PairComparison
    expect(least.adjustedP).toBeCloseTo(3 * (least.outcome.claimP as number), 12)
  })

  it('are those against the baseline, which is B', () => {
    const comparison = compare(methods, { family: 'baseline', baseline: 'a', methods: ['b', 'a'] })
    expect(comparison.pairs.map(({ a, b }) => `${a}-${b}`)).toEqual(['b-a', 'c-a'])
    expect(comparison.family).toEqual({ kind: 'baseline', baseline: 'a', size: 2 })
  })

  it('distinguish one method that ran with two sets of agents', () => {
    const comparison = compare([...solves('a', 9, 12), ...solves('a', 3, 12, { agents: 'other' })])
    expect(comparison.methods.map(({ label }) => label)).toEqual(['a (other)', 'a (scripted)'])
  })

  it('refuse a trial that occurs twice, simulated and live records together, and different injected faults', () => {
    expect(() => compare([...solves('a', 1, 2), ...solves('a', 1, 2)])).toThrow(UserError)
    expect(() => compare([aRecord(), aRecord({ method: 'b', simulated: true })])).toThrow(/live/)
    expect(() => compare([aRecord(), aRecord({ method: 'b', faults: 'rate-limit' })])).toThrow(/faults/)
  })
})

describe('planning', () => {
  it('says whether epochs or tasks would help', () => {
    const random = seededRandom('planning')
    const rows = (rate: (task: number) => number) =>
      Array.from({ length: 40 }, (_, task) =>
        Array.from({ length: 4 }, () => (random() < rate(task) ? '1' : '0')).join(''),
      )
    const noise = onlyPair(
      compare([
        ...trials(
          'a',
          rows(() => 0.5),
        ),
        ...trials(
          'b',
          rows(() => 0.5),
        ),
      ]),
    )
    expect(noise.planning).toMatchObject({ advice: 'epochs', refusal: null })
    const own = onlyPair(
      compare([
        ...trials(
          'a',
          rows((task) => task % 2),
        ),
        ...trials(
          'b',
          rows((task) => (task + 1) % 2),
        ),
      ]),
    )
    expect(own.planning.advice).toBe('tasks')
    expect(own.planning.withinShare as number).toBeLessThan(0.05)
    expect(own.planning.mdeInFamily).toBe(own.planning.mde)
  })
})

const word = (comparison: Comparison) => onlyPair(comparison).verdict?.word

describe('the verdict', () => {
  it('is "open" for a difference that may be chance, with the detectable difference', () => {
    const { verdict, planning } = onlyPair(
      compare([...trials('a', ['1', '0', '1', '0', '1', '1', '0', '1']), ...solves('b', 4, 8)]),
    )
    expect(verdict).toEqual({ word: 'not-established' })
    expect(planning.mde as number).toBeGreaterThan(0.2)
    expect(planning.refusal).toBe('one-epoch')
  })

  it('is "equivalent" or "not worse" only with a margin, and then only if the tests hold', () => {
    const a = trials('a', [...repeat('1', 90), ...repeat('0', 10)])
    const b = trials('b', [...repeat('1', 89), '0', '1', ...repeat('0', 9)])
    expect(word(compare([...a, ...b]))).toBe('not-established')
    expect(word(compare([...a, ...b], { margin: 0.1 }))).toBe('equivalent')
    expect(word(compare([...a, ...b], { margin: 0.01 }))).toBe('not-established')
    const slightly = trials('b', [
      ...repeat('1', 84),
      ...repeat('0', 6),
      ...repeat('1', 2),
      ...repeat('0', 8),
    ])
    const judged = onlyPair(compare([...a, ...slightly], { margin: 0.05 }))
    expect(judged.verdict).toEqual({ word: 'not-worse', method: 'a' })
    expect(judged.notWorse.b.holds).toBe(false)
  })

  it('is neither "equivalent" nor "not worse" if the missing trials could reverse it', () => {
    const solid = [...repeat('1', 90), ...repeat('0', 10)]
    const same = trials('b', [...repeat('1', 88), '0', '1', ...repeat('0', 10)])
    const margin = 0.1
    const lost = (many: number) => trials('a', [...repeat('-', many), ...solid.slice(many)])
    const held = onlyPair(compare([...lost(4), ...same], { margin }))
    expect(held.notWorse.a).toMatchObject({ holds: true, refusal: null })
    // If the twelve missing trials had failed, a would be eleven points worse; if they had passed, not worse.
    const undone = onlyPair(compare([...lost(12), ...same], { margin }))
    expect(undone.outcome.missing?.low as number).toBeLessThan(-margin)
    expect(undone.notWorse.a.adjustedP as number).toBeLessThan(0.025)
    for (const test of [undone.notWorse.a, undone.equivalent])
      expect(test).toMatchObject({ holds: false, refusal: 'missing-decides' })
    expect(undone.notWorse.b.holds).toBe(true)
    expect(undone.spent.tokens.atEqualSuccess).toBeNull()
  })

  it('has the same text everywhere', () => {
    expect(verdictText({ word: 'better', method: 'x' }, '5 points')).toBe('x better')
    expect(verdictText({ word: 'not-worse', method: 'x' }, '5 points')).toMatchSnapshot()
    expect(verdictText({ word: 'equivalent' }, '5 points')).toBe('equivalent within 5 points')
    expect(verdictText({ word: 'not-established' }, '5 points')).toBe('open')
    expect(verdictText({ word: 'not-separated' }, '')).toBe('no task separated them')
    expect(verdictText({ word: 'too-few-tasks' }, '')).toBe('too few tasks')
  })

  it('of simulated numbers does not appear in the reason for a missing p-value', () => {
    const made = (rows: string[]) =>
      onlyPair(
        compare([...trials('a', rows, { simulated: true }), ...trials('b', rows, { simulated: true })]),
      )
    for (const rows of [repeat('1', 20), repeat('1', 4)]) {
      const { outcome, spent } = made(rows)
      expect([outcome.refusal, spent.tokens.refusal, spent.costUsd.refusal]).toEqual(
        Array(3).fill('simulated'),
      )
    }
    // A single task has no interval, which says nothing about the methods.
    expect(made(['1']).outcome.refusal).toBe('one-task')
  })

  it('of a simulated run with a stop rule does not exist under any name in the data', () => {
    const records = [...solves('a', 20, 20, { simulated: true }), ...solves('b', 2, 20, { simulated: true })]
    const order = [...new Set(records.map(({ task }) => task))]
    const stop = { sequence: 'mcnemar', alpha: 0.05, comparisons: 1, hopedTasks: 10 } as const
    const under = (calibration: boolean) =>
      compare(records, {
        ...{ stop, order, epochs: 1, methods: ['a', 'b'] },
        ...(calibration && { calibration: true as const }),
      })
    const numbers: number[] = []
    JSON.stringify(under(false).pairs, (key, value) => {
      if (/^p$|P$|^p[A-Z]/.test(key) && key !== 'pSuperiority' && typeof value === 'number')
        numbers.push(value)
      return value
    })
    expect(numbers).toEqual([])
    expect(onlyPair(under(false))).toMatchObject({ verdict: null, outcome: { refusal: 'simulated' } })
    expect(onlyPair(under(true)).sequence?.pAnytime as number).toBeLessThan(0.05)
  })

  it('of simulated numbers does not exist: there are estimates and intervals only', () => {
    const records = [...solves('a', 20, 20), ...solves('b', 2, 20)].map((record) => ({
      ...record,
      simulated: true,
    }))
    const comparison = compare(records, { margin: 0.1 })
    const text = JSON.stringify(comparison, (key, value) =>
      /^p$|P$/.test(key) && typeof value === 'number' ? 'A P-VALUE' : value,
    )
    expect(comparison.simulated).toBe(true)
    expect(text).not.toContain('A P-VALUE')
    expect(onlyPair(comparison)).toMatchObject({
      verdict: null,
      adjustedP: null,
      equivalent: { refusal: 'simulated' },
    })
    expect(onlyPair(comparison).outcome.lower as number).toBeGreaterThan(0.5)
    expect(comparison.family.size).toBe(0)
    expect(comparison.frontiers.tokens.points.map(({ word }) => word)).toEqual([null, null])
    expect(word(compare(records, { calibration: true }))).toBe('better')
  })
})
