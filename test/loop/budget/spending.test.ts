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
  it('is recorded beside the billed cost', () => {
    const calls: CallCost[] = [
      { tokens, costUsd: 0.01, listCostUsd: 0.05, costSource: 'table' },
      { tokens, costUsd: 0.02, listCostUsd: 0.02, costSource: 'file' },
    ]
    expect(spendingOf(calls)).toMatchObject({ costUsd: 0.03, listCostUsd: 0.07, unknownListCost: 0 })
  })

  it('excludes calls whose cost only the provider reported', () => {
    const calls: CallCost[] = [
      { tokens, costUsd: 0.01, costSource: 'provider' },
      { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table' },
    ]
    expect(spendingOf(calls)).toMatchObject({ costUsd: 0.02, listCostUsd: 0.01, unknownListCost: 1 })
    expect(spendingOf(calls.slice(0, 1))).toMatchObject({ listCostUsd: null, unknownListCost: 1 })
  })

  it('equals the billed cost if no price list was used', () => {
    expect(spendingOf([{ tokens, costUsd: 0.01 }])).toMatchObject({ listCostUsd: 0.01, unknownListCost: 0 })
    expect(spendingOf([{ tokens, costUsd: null }])).toMatchObject({ listCostUsd: null, unknownListCost: 1 })
  })

  it('is left out of simulated records', () => {
    expect(spendingOf([{ tokens, costUsd: 0.01 }], false)).not.toHaveProperty('listCostUsd')
  })
})

it('a bill compares reported with computed cost over the same calls only', () => {
  const calls: CallCost[] = [
    { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table', reportedCostUsd: 0.015 },
    { tokens, costUsd: 0.01, listCostUsd: 0.01, costSource: 'table' },
    // The reported cost was used as the cost.
    { tokens, costUsd: 0.5, costSource: 'provider', reportedCostUsd: 0.5 },
    { tokens, costUsd: null, reportedCostUsd: 0.5 },
  ]
  expect(spendingOf(calls).reported).toEqual({ calls: 1, costUsd: 0.015, computedUsd: 0.01 })
  expect(spendingOf(calls.slice(1, 2))).not.toHaveProperty('reported')
})

const decimal = fc
  .tuple(fc.nat(1e9), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => digits / 10 ** places)

it('roundedSum of decimals is the same in any order of addition, and never negative', () => {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => roundedSum(total + amount), 0)
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 8 }), (amounts) => {
      const total = sum(amounts)
      // Whole billionths are exact.
      const exact = amounts.reduce((all, amount) => all + BigInt(Math.round(amount * 1e9)), 0n)
      if (total < 1e6) expect(total).toBe(Number(exact) / 1e9)
      expect(Object.is(roundedSum(total - total), 0)).toBe(true)
      if (total < 1e6) expect(sum([...amounts].reverse())).toBe(total)
    }),
  )
})

it('roundedSum keeps whole numbers and amounts of millions', () => {
  fc.assert(
    fc.property(fc.nat(1e12), (whole) => {
      expect(roundedSum(whole)).toBe(whole)
      expect(roundedSum(whole / 100)).toBe(whole / 100)
    }),
    { examples: [[113627659587], [426101848]] },
  )
})
