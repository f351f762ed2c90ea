import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { rowOf, summarize } from '../../helpers/runs/summaries.ts'
import { compare, onlyPair, repeat, trials } from '../compare/compared.ts'
import { aRecord } from '../records.ts'

/** A trial with two calls, one without a price; `costUsd` is the cost of the other. */
const partly = (task: string, costUsd: number | null, passed: boolean, method = 'a') =>
  aRecord({ task, method, passed, spent: { costUsd, calls: 2, unreportedCost: 1 } })
const whole = (task: string, costUsd: number, passed: boolean, method = 'a') =>
  aRecord({ task, method, passed, spent: { costUsd } })
const priceOf = (records: readonly TrialRecord[]) => rowOf(summarize(records), 'a').costPerSuccess
const [known, ...more] = ['s/1', 's/2', 's/3'].map((task, index) => whole(task, 0.1 + index / 100, true))
const three = [known as TrialRecord, ...more]

describe('the cost per success with some unknown costs', () => {
  it('is a lower bound without limits if the known costs of all trials give more than the priced trials alone', () => {
    // Known in full: $0.11. Of all: $0.33 + $0.60 over three successes.
    const price = priceOf([...three, partly('s/4', 0.6, false)])
    expect(price).toMatchObject({ kind: 'at-least', lower: null, upper: null, refusal: 'unreported-cost' })
    expect(price.estimate).toBeCloseTo(0.31, 12)
    expect(price).toMatchObject({ trials: 3, tasks: 3, dropped: 1 })
  })

  it('stays an estimate with limits if the priced trials alone give more', () => {
    const price = priceOf([...three, partly('s/4', 0.05, true)])
    expect(price).toMatchObject({ kind: 'bounded', dropped: 1 })
    expect(price.estimate).toBeCloseTo(0.11, 12)
  })

  it('is a lower bound if both give the same, because a failure of unknown cost can only add to it', () => {
    const price = priceOf([...three, partly('s/4', null, false)])
    expect(price).toMatchObject({ kind: 'at-least', lower: null, upper: null })
    expect(price.estimate).toBeCloseTo(0.11, 12)
  })

  it('weighs tasks the same in the bound, as in the estimate', () => {
    const epochs = [1, 2].map((epoch) => ({ ...partly('s/4', 0.6, false), epoch }))
    expect(priceOf([...three, ...epochs]).estimate).toBeCloseTo(0.31, 12)
  })

  it('is a lower bound if all successes are in trials with unknown costs', () => {
    expect(priceOf([whole('s/1', 0.1, false), partly('s/2', 0.2, true)])).toMatchObject({
      estimate: expect.closeTo(0.3, 12),
      kind: 'at-least',
    })
    expect(priceOf([partly('s/1', 0.2, true)])).toMatchObject({ estimate: 0.2, kind: 'at-least' })
  })

  it('is unknown, never "at least 0", if no cost is known', () => {
    const none = { estimate: null, kind: 'not-estimable', refusal: 'unreported-cost' }
    expect(priceOf([partly('s/1', null, true)])).toMatchObject(none)
    expect(priceOf([whole('s/1', 0, true), partly('s/2', null, false)])).toMatchObject(none)
  })

  it('is never below the known cost per success of all graded trials', () => {
    const trial = fc.record({
      task: fc.constantFrom('s/1', 's/2', 's/3'),
      passed: fc.constantFrom(true, false, null),
      costUsd: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
      unreportedCost: fc.integer({ min: 0, max: 1 }),
    })
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 12 }), (drawn) => {
        const records = drawn.map(({ task, passed, ...spent }, epoch) =>
          aRecord({ task, passed, epoch: epoch + 1, spent: { calls: 1, ...spent } }),
        )
        const bound = knownToCost(records)
        const alike = compare(records).methods[0]?.costPerSuccess
        for (const price of [priceOf(records), alike]) {
          const { estimate = null, lower, kind } = price ?? {}
          if (estimate !== null) expect(estimate).toBeGreaterThanOrEqual((1 - 1e-9) * bound)
          if (kind === 'at-least') expect([estimate, lower]).toEqual([expect.closeTo(bound, 9), null])
        }
      }),
    )
  })
})

/** By the definition: means over tasks of means over graded trials, of all costs that are known. */
function knownToCost(records: readonly TrialRecord[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const graded = records.filter(({ passed }) => passed !== null)
  const tasks = [...new Set(graded.map(({ task }) => task))]
  const byTask = tasks.map((name) => graded.filter(({ task }) => task === name))
  const over = (of: (record: TrialRecord) => number) => mean(byTask.map((group) => mean(group.map(of))))
  const success = over(({ passed }) => Number(passed))
  return success > 0 ? over(({ spent }) => spent.costUsd ?? 0) / success : 0
}

describe('a comparison', () => {
  const unknown = { calls: 2, costUsd: 0.6, listCostUsd: 0.6, unreportedCost: 1, unknownListCost: 1 }
  const a = trials('a', repeat('1', 8)).map((record, task) =>
    task < 6 ? record : { ...record, passed: false, score: 0, spent: { ...record.spent, ...unknown } },
  )
  const b = trials('b', ['0', ...repeat('1', 7)])

  it('has a lower bound for the method and no ratio of its cost per success, whichever side it is on', () => {
    const both = compare([...a, ...b])
    expect(both.methods[0]?.costPerSuccess).toMatchObject({
      estimate: expect.closeTo((6 * 0.1 + 2 * 0.6) / 6, 12),
      lower: null,
      upper: null,
      kind: 'at-least',
    })
    for (const pair of [onlyPair(both), onlyPair(compare([...a, ...b], { methods: ['b', 'a'] }))])
      expect(pair.costPerSuccess).toMatchObject({ ratio: null, refusal: 'unreported-cost', nTasks: 6 })
  })

  it('has the ratio if the tasks with unknown costs are not in the pair', () => {
    const { costPerSuccess } = onlyPair(compare([...a, ...b.slice(0, 6)]))
    expect(costPerSuccess).toMatchObject({ ratio: expect.closeTo(5 / 6, 12), nTasks: 6 })
    expect(costPerSuccess.refusal).not.toBe('unreported-cost')
  })
})
