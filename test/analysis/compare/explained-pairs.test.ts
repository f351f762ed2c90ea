import { describe, expect, it } from 'vitest'
import { frontierMembership, paretoFrontier } from '../../../src/analysis/compare/frontier-of.ts'
import { takeLook } from '../../../src/analysis/sequential/stop-rule.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

const ofSuite = (suite: string, records: readonly TrialRecord[]) =>
  records.map((record) => ({ ...record, suite, task: record.task.replace('s/', `${suite}/`) }))
const pairOf = (...records: TrialRecord[][]) => onlyPair(compare(records.flat()))

describe('suites of a pair', () => {
  const won = (suite: string, by: 'a' | 'b', tasks: number, margin: number) =>
    (['a', 'b'] as const).flatMap((method) =>
      ofSuite(suite, solves(method, method === by ? tasks : tasks - margin, tasks)),
    )

  it('are absent for a single suite, and agree if both favour one method alike', () => {
    expect(pairOf(won('x', 'a', 30, 12)).suites).toBeNull()
    const { suites } = pairOf(won('x', 'a', 30, 12), won('y', 'a', 20, 8))
    expect(suites).toMatchObject({ count: 2, clearlyForA: ['x', 'y'], forB: [], disagreement: null })
  })

  it.each([
    ['opposite', [won('x', 'a', 40, 20), won('y', 'b', 12, 9)]],
    ['against-verdict', [won('x', 'a', 60, 30), won('y', 'b', 12, 1)]],
    ['uneven', [won('x', 'a', 40, 30), won('y', 'a', 40, 4)]],
  ] as const)('disagree: %s', (disagreement, records) => {
    const { suites, verdict } = pairOf(...records)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
    expect(suites?.disagreement).toBe(disagreement)
  })
})

describe('an interval and its word', () => {
  it.each([
    [
      'an interval clear of 0 with too few separated tasks',
      'excludes-zero',
      solves('a', 5, 8),
      solves('b', 0, 8),
    ],
    ['a clear result', null, solves('a', 18, 20), solves('b', 4, 20)],
    ['an open result', null, solves('a', 11, 20), solves('b', 10, 20)],
  ])('%s: %s', (_, mismatch, a, b) => {
    expect(pairOf(a, b).mismatch).toBe(mismatch)
  })
})

it('limits inside the margin beside an open word are marked if a guard prevents the claim', () => {
  const rows = Array.from({ length: 30 }, (_, task) => (task % 2 === 0 ? '1111111110' : '1111111111'))
  const records = [...trials('a', rows), ...trials('b', rows.toReversed())]
  const { mismatch, verdict, equivalent } = onlyPair(compare(records, { margin: 0.05 }))
  expect(verdict).toEqual({ word: 'not-established' })
  expect(equivalent).toMatchObject({ holds: false, guard: { kind: 'one-loss', holds: false } })
  expect(mismatch).toBe('inside-margin')
  expect(onlyPair(compare(records, { margin: 0.2 })).mismatch).toBeNull()
})

describe('warnings', () => {
  it('name rare losses of whole tasks, and nothing for even differences', () => {
    const even = Array.from({ length: 20 }, (_, task) => (task % 2 === 0 ? '11110' : '11111'))
    const usual = trials('b', even)
    expect(pairOf(trials('a', ['00000', ...even.slice(1).reverse()]), usual).warnings).toEqual([
      'rare-failures',
    ])
    expect(pairOf(trials('a', even.toReversed()), usual).warnings).toEqual([])
  })

  it('do not name whole losses where tasks differ as much anyway', () => {
    const a = [...repeat('00000', 2), ...repeat('11100', 9), ...repeat('11111', 9)]
    const b = [...repeat('11110', 2), ...repeat('11111', 9), ...repeat('11100', 9)]
    expect(pairOf(trials('a', a), trials('b', b)).warnings).toEqual([])
  })

  it('name skewed differences under the asymptotic rule only', () => {
    const a = trials('a', [...repeat('000', 2), ...repeat('111', 34)])
    const b = trials('b', [...repeat('111', 24), ...repeat('110', 12)])
    const order = Array.from({ length: 36 }, (_, task) => `s/${String(task).padStart(3, '0')}`)
    const stop = (sequence: 'asymptotic' | 'empirical-bernstein') =>
      onlyPair(
        compare([...a, ...b], {
          order,
          epochs: 3,
          stop: { sequence, alpha: 0.05, comparisons: 1, hopedTasks: 60 },
        }),
      )
    expect(stop('asymptotic').warnings).toEqual(['skewed-differences'])
    const bernstein = stop('empirical-bernstein')
    expect(bernstein.warnings).toEqual([])
    expect(bernstein.outcome.outsideLimits).toBe(false)
  })
})

it('a look under empirical Bernstein gives the mean, and the centre of its limits beside it', () => {
  const values = Array.from({ length: 200 }, (_, task) => (task < 40 ? 1 : task % 3 === 0 ? -0.5 : 0))
  const rule = { sequence: 'empirical-bernstein', alpha: 0.05, comparisons: 1, hopedTasks: 60 } as const
  const { estimate, centre, lower, upper } = takeLook(values, rule)
  expect(estimate).toBeCloseTo(values.reduce<number>((sum, value) => sum + value, 0) / 200, 12)
  expect(Math.abs((centre as number) - (estimate as number))).toBeGreaterThan(0.001)
  expect(((lower as number) + (upper as number)) / 2).toBeCloseTo(centre as number, 12)
})

it('an estimate outside of the bounds of its missing trials is marked', () => {
  const a = trials('a', [...repeat('-', 4), ...repeat('0', 8), ...repeat('1', 8)])
  const b = trials('b', [...repeat('0', 4), ...repeat('1', 16)])
  expect(pairOf(a, b).outcome.missing).toMatchObject({ excludesEstimate: true, low: -0.4, decides: true })
  const few = trials('a', ['-', ...repeat('0', 14), ...repeat('1', 5)])
  expect(pairOf(few, trials('b', repeat('1', 20))).outcome.missing?.excludesEstimate).toBe(false)
})

describe('the frontier', () => {
  const third = [0.3333333333333333, 0.33333333333333337]

  it('ties numbers that differ by rounding', () => {
    expect(paretoFrontier(third, [1, 2]).onFrontier).toEqual([true, false])
    expect(paretoFrontier([0.5, 0.4], [0.1 + 0.2, 0.3]).onFrontier).toEqual([true, false])
    expect(
      frontierMembership(
        [third, third],
        [
          [2, 1],
          [2, 1],
        ],
      ).membership,
    ).toEqual([0, 1])
  })

  it('calls a method at twice the price dominated if epochs only came in another order', () => {
    const cost = (method: string, costUsd: number, row: string) =>
      trials(method, repeat(row, 7), { spent: { costUsd } })
    const { frontiers } = compare([...cost('a', 0.2, '100'), ...cost('b', 0.1, '001')])
    expect(frontiers.costUsd.points.map(({ word, cheapest }) => [word, cheapest])).toEqual([
      ['off', false],
      ['on', true],
    ])
    expect(frontiers.tokens.points.map(({ word }) => word)).toEqual(['on', 'on'])
  })

  it('says over how many tasks it is, and how many it leaves out', () => {
    const known = trials('a', repeat('1', 10))
    const partly = Array.from({ length: 10 }, (_, task) =>
      aRecord({
        method: 'b',
        task: `s/00${task}`,
        passed: task < 5,
        ...(task >= 6 && { spent: { costUsd: 0, unreportedCost: 1, unknownListCost: 1 } }),
      }),
    )
    const { costUsd } = compare([...known, ...partly]).frontiers
    expect(costUsd).toMatchObject({ nTasks: 6, nDropped: 4 })
    expect(costUsd.points[1]?.success).toBeCloseTo(5 / 6, 12)
  })
})
