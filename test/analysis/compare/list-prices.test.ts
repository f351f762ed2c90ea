import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair } from './compared.ts'

const summaryOf = (records: readonly TrialRecord[]) => {
  const builder = createSummary({ baseline: 'b' })
  for (const record of records) builder.add(record)
  return builder.result()
}
const tasks = Array.from({ length: 8 }, (_, index) => `s/${index}`)
const each = (method: string, spent: Partial<TrialRecord['spent']>) =>
  tasks.map((task) => aRecord({ method, task, spent }))

describe('methods where one profited from a cache', () => {
  const cached = { cached: 70, costUsd: 0.02, listCostUsd: 0.1 }
  const records = [...each('a', cached), ...each('b', {})]

  it('are compared at the uncached list price, at which they are equal', () => {
    const { spent, costPerSuccess } = onlyPair(compare(records))
    expect(spent.costUsd.ratio.ratio).toBeCloseTo(1, 12)
    expect(costPerSuccess.ratio).toBeCloseTo(1, 12)
  })

  it('save nothing by it in the table of methods, which shows both prices', () => {
    const [a] = summaryOf(records).methods
    expect(a?.againstBaseline?.cost.percent).toBeCloseTo(0, 12)
    expect(a?.cost.perTrial.value).toBeCloseTo(0.02, 12)
    expect(a?.cost.total.value).toBeCloseTo(0.16, 12)
    expect(a?.listCost.perTrial.value).toBeCloseTo(0.1, 12)
    expect(a?.listCost.total.value).toBeCloseTo(0.8, 12)
  })
})

describe('an unknown list price', () => {
  it('is null with the number of such calls, even if the bill is known', () => {
    const spent = { calls: 3, costUsd: 0.3, listCostUsd: null, unknownListCost: 3 }
    const [a] = summaryOf(each('a', spent)).methods
    expect(a?.cost.perTrial).toEqual({ value: expect.closeTo(0.3, 12), lowerBound: false })
    expect(a?.listCost.perTrial).toEqual({ value: null, lowerBound: false })
    expect(a?.unreported).toMatchObject({ costCalls: 0, listCalls: 24, listTrials: 8 })
  })

  it('of some calls makes the sum a lower bound, and excludes the trial from comparisons', () => {
    const partly = { calls: 2, listCostUsd: 0.05, unknownListCost: 1 }
    const [whole, ...rest] = each('a', {})
    const records = [{ ...(whole as TrialRecord), spent: { ...aRecord().spent, ...partly } }, ...rest]
    expect(summaryOf(records).methods[0]?.listCost.total).toEqual({
      value: expect.closeTo(0.75, 12),
      lowerBound: true,
    })
    expect(onlyPair(compare([...records, ...each('b', {})])).spent.costUsd.nTasks).toBe(7)
  })
})

it('the list price of a simulated trial is its bill', () => {
  const { listCostUsd: _, unknownListCost: __, ...spent } = aRecord().spent
  const [a] = summaryOf([aRecord({ simulated: true, mode: 'dev' })].map((one) => ({ ...one, spent }))).methods
  expect(a?.listCost).toEqual(a?.cost)
  expect(a?.unreported.listCalls).toBe(0)
})

it('the list price of a simulated trial with an unpriced call is the known part of its bill, per trial and in total', () => {
  const {
    listCostUsd: _,
    unknownListCost: __,
    ...spent
  } = aRecord({
    spent: { costUsd: 0.3, calls: 2, unreportedCost: 1 },
  }).spent
  const partly = { ...aRecord({ simulated: true, mode: 'dev' }), spent }
  const [a] = summaryOf([partly]).methods
  const atLeast = { value: 0.3, lowerBound: true }
  expect(a?.listCost).toEqual({ perTrial: atLeast, total: atLeast })
  expect(a?.listCost).toEqual(a?.cost)
})

it('a summary adds up the costs that agents reported, and the computed costs of the same calls', () => {
  const reported = { calls: 2, costUsd: 0.3, computedUsd: 0.25 }
  const [a] = summaryOf([
    aRecord({ spent: { reported } }),
    aRecord({ epoch: 2, spent: { reported } }),
  ]).methods
  expect(a?.reported).toEqual({ calls: 4, costUsd: 0.6, computedUsd: 0.5 })
  expect(summaryOf([aRecord()]).methods[0]?.reported).toBeNull()
})
