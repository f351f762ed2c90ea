import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { upwardMargins } from '../../../src/analysis/numeric/margins.ts'
import { costPerSuccess } from '../../../src/analysis/ratios/cost-per-success.ts'
import { wilsonInterval } from '../../../src/analysis/tasks/interval.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, trials } from './compared.ts'

const spending = (method: string, costs: readonly number[]) =>
  costs.map((costUsd, task) => aRecord({ method, task: `s/${task}`, spent: { costUsd } }))

describe('pass rates over k trials', () => {
  it.each([9, 4, 1])('of tasks that pass always or never have Wilson’s limits: %d of 10', (passed) => {
    const rows = [...repeat('111', passed), ...repeat('000', 10 - passed)]
    const [method] = compare(trials('a', rows)).methods
    const { estimate, lower, upper } = wilsonInterval(passed, 10, 0.95)
    const interval = { estimate, lower, upper, interval: 'wilson' }
    expect(method?.reliability).toEqual({ k: 3, some: interval, all: interval })
    expect(method?.score).toMatchObject({ lower, upper })
  })

  it('have Korn and Graubard’s where a task has further trials', () => {
    const [method] = compare(trials('a', ['11', '1110', '0100', '00', '11', '1010', '11', '10'])).methods
    const { some, all } = method?.reliability ?? {}
    for (const rate of [some, all]) {
      expect(rate?.interval).toBe('korn-graubard')
      expect(rate?.lower as number).toBeGreaterThan(0)
      expect(rate?.upper as number).toBeLessThan(1)
    }
  })
})

describe('a cost per success', () => {
  it('never has a lower limit below the cheapest task or below the limit of a trial', () => {
    const task = fc.record({
      cost: fc.double({ min: 0.001, max: 10, noNaN: true }),
      success: fc.constantFrom(0, 0, 0, 1),
    })
    fc.assert(
      fc.property(fc.array(task, { minLength: 3, maxLength: 30 }), (tasks) => {
        const { estimate, lower, upper } = costPerSuccess(tasks, 0.95, upwardMargins)
        if (lower === null || upper === null) return
        expect(lower).toBeGreaterThanOrEqual(Math.min(...tasks.map(({ cost }) => cost)))
        expect(lower).toBeLessThanOrEqual(estimate as number)
        expect(upper).toBeGreaterThanOrEqual(estimate as number)
      }),
    )
  })

  it('costs what a trial costs at least, where all trials cost the same', () => {
    const tasks = Array.from({ length: 9 }, (_, task) => ({ cost: 0.05, success: task < 3 ? 1 : 0 }))
    expect(costPerSuccess(tasks, 0.95, upwardMargins)).toMatchObject({ lower: 0.05 })
  })
})

describe('limits of spending', () => {
  it('are never below 0 for a mean, nor above 100% for a saving', () => {
    const [cheap, dear] = [spending('a', [0, 0, 0, 0, 0, 0, 0, 9]), spending('b', [5, 6, 5, 7, 5, 6, 5, 6])]
    const comparison = compare([...cheap, ...dear])
    const [a] = comparison.methods
    expect(a?.spent.costUsd.mean.lower).toBe(0)
    const { ratio, saved } = onlyPair(comparison).spent.costUsd
    expect(ratio.lower).toBe(0)
    expect(saved.upper).toBe(100)
  })

  it.each([
    ['successes', 'one-task-decides'],
    ['costs', 'one-task-costs'],
  ])('are refused by name where one task holds all %s', (what, refusal) => {
    const a = Array.from({ length: 8 }, (_, task) =>
      aRecord({
        method: 'a',
        task: `s/${task}`,
        passed: what === 'costs' || task === 2,
        spent: { costUsd: what === 'costs' && task !== 2 ? 0 : 1 },
      }),
    )
    const b = spending('b', [1, 2, 1, 2, 1, 2, 1, 2])
    expect(onlyPair(compare([...a, ...b])).costPerSuccess).toMatchObject({ lower: null, refusal })
  })
})
