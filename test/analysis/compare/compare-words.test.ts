import { describe, expect, it } from 'vitest'
import type { Comparison } from '../../../src/analysis/compare/comparison.ts'
import { verdictText } from '../../../src/analysis/compare/margin-tests.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

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
    expect(verdictText({ word: 'not-worse', method: 'x' }, '5 points')).toBe(
      'x not worse by more than 5 points',
    )
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
