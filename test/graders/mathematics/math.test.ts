import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gradeMath } from '../../helpers/graders/grade-math.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const table = (name: string) => tableOf<[expected: string, reply: string][]>(import.meta.url, name)

describe('the grader math', () => {
  it.each(table('same'))('takes for %j the answer %j', async (expected, answer) => {
    expect(await gradeMath(expected, `Thus.\nAnswer: ${answer}`)).toMatchObject({ value: 1 })
  })

  it.each(table('other'))('does not take for %j the answer %j', async (expected, answer) => {
    expect(await gradeMath(expected, `Thus.\nAnswer: ${answer}`)).toMatchObject({ value: 0 })
  })

  it('takes every polynomial in another order, and none with another coefficient', async () => {
    const term = fc.record({ factor: fc.integer({ min: -9, max: 9 }), x: fc.nat(3), y: fc.nat(3) })
    const write = (terms: readonly { factor: number; x: number; y: number }[]) =>
      terms.map(({ factor, x, y }) => `(${factor})x^{${x}} y^{${y}}`).join(' + ')
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 4 }), async (terms) => {
        const [first, ...others] = terms as [(typeof terms)[number], ...typeof terms]
        const changed = [{ ...first, factor: first.factor + 1 }, ...others]
        expect(await gradeMath(write(terms), `Answer: ${write(terms.toReversed())}`)).toMatchObject({
          value: 1,
        })
        expect(await gradeMath(write(terms), `Answer: ${write(changed)}`)).toMatchObject({ value: 0 })
      }),
      { numRuns: 15, seed: 1 },
    )
  })

  it('reads the answer before a formula that the end of the reply cuts off', async () => {
    const repeated = 'Answer: $\\frac{11}{2}$\n\n'.repeat(3)
    expect(await gradeMath('\\frac{11}{2}', `${repeated}Answer: $\\frac{11}{2`)).toMatchObject({ value: 1 })
    expect(await gradeMath('\\frac{11}{2}', `${repeated}Answer: $\\`)).toMatchObject({ value: 1 })
    expect(await gradeMath('\\frac{11}{2}', `${repeated}Answer: $\\frac{1}{3}$`)).toMatchObject({ value: 0 })
    expect(await gradeMath('5', 'So x is 5, or\n$\\frac{11}{')).toMatchObject({ value: 0 })
  })

  it.each(tableOf<[string, string][]>(import.meta.url, 'reasons'))(
    'says why %j is not compared',
    async (answer, reason) => {
      expect((await gradeMath('x + 1', `Answer: ${answer}`)).reason).toContain(reason)
    },
  )
})
