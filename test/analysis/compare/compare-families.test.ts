import { describe, expect, it } from 'vitest'
import type { PairComparison } from '../../../src/analysis/compare/comparison.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { UserError } from '../../../src/text/errors.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, solves, trials } from './compared.ts'

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
