import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundedSum } from '../../src/loop/spending.ts'

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
