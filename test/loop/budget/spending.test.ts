import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addCall,
  type CallCost,
  emptyBill,
  finalSpending,
  roundedSum,
} from '../../../src/loop/budget/spending.ts'

const tokens = { input: 100, output: 10, cached: 60 }
const spendingOf = (calls: readonly CallCost[], list = true) => {
  const bill = emptyBill()
  for (const call of calls) addCall(bill, call)
  return finalSpending(bill, { list })
}

describe('a bill at uncached list prices', () => {
  it('stands beside what was billed', () => {
    const calls: CallCost[] = [
      { tokens, costUsd: 0.01, listCostUsd: 0.05, costSource: 'table' },
      { tokens, costUsd: 0.02, listCostUsd: 0.02, costSource: 'file' },
    ]
    expect(spendingOf(calls)).toMatchObject({ costUsd: 0.03, listCostUsd: 0.07, unknownListCost: 0 })
  })

  it('lacks calls that only their provider has a price for', () => {
    const calls: CallCost[] = [
      { tokens, costUsd: 0.01, costSource: 'provider' },
      { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table' },
    ]
    expect(spendingOf(calls)).toMatchObject({ costUsd: 0.02, listCostUsd: 0.01, unknownListCost: 1 })
    expect(spendingOf(calls.slice(0, 1))).toMatchObject({ listCostUsd: null, unknownListCost: 1 })
  })

  it('is the bill where no price list made it', () => {
    expect(spendingOf([{ tokens, costUsd: 0.01 }])).toMatchObject({ listCostUsd: 0.01, unknownListCost: 0 })
    expect(spendingOf([{ tokens, costUsd: null }])).toMatchObject({ listCostUsd: null, unknownListCost: 1 })
  })

  it('is left out of simulated records', () => {
    expect(spendingOf([{ tokens, costUsd: 0.01 }], false)).not.toHaveProperty('listCostUsd')
  })
})

it('holds what agents say against what was computed, for the same calls alone', () => {
  const calls: CallCost[] = [
    { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table', reportedCostUsd: 0.015 },
    { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table' },
    // Its word stood in for ours.
    { tokens, costUsd: 0.5, costSource: 'provider', reportedCostUsd: 0.5 },
    { tokens, costUsd: null, reportedCostUsd: 0.5 },
  ]
  expect(spendingOf(calls).reported).toEqual({ calls: 1, costUsd: 0.015, computedUsd: 0.01 })
  expect(spendingOf(calls.slice(1, 2))).not.toHaveProperty('reported')
})

const decimal = fc
  .tuple(fc.nat(1e9), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => digits / 10 ** places)

it('sums decimals to the same number in any order, never less than nothing', () => {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => roundedSum(total + amount), 0)
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 8 }), (amounts) => {
      const total = sum(amounts)
      // As in whole billionths, where nothing is lost.
      const exact = amounts.reduce((all, amount) => all + BigInt(Math.round(amount * 1e9)), 0n)
      if (total < 1e6) expect(total).toBe(Number(exact) / 1e9)
      expect(Object.is(roundedSum(total - total), 0)).toBe(true)
      if (total < 1e6) expect(sum([...amounts].reverse())).toBe(total)
    }),
  )
})

it('leaves whole numbers and amounts of millions as they are', () => {
  fc.assert(
    fc.property(fc.nat(1e12), (whole) => {
      expect(roundedSum(whole)).toBe(whole)
      expect(roundedSum(whole / 100)).toBe(whole / 100)
    }),
    { examples: [[113627659587], [426101848]] },
  )
})
