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
