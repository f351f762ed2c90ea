import { expect, it } from 'vitest'
import { passes } from '../../helpers/machine/answers.ts'

const runaway = `${'a'.repeat(40)}!`

it('a pattern that forbids comes to an end over what a model wrote', async () => {
  expect(await passes({ kind: 'pattern', require: ['!'], forbid: ['(a+)+$'] }, runaway)).toBe(false)
})

it('an expression that finds the answer comes to an end over what a model wrote', async () => {
  const grader = { kind: 'exact', extract: ['(?:(a+)+$)'] }
  expect(await passes(grader, `${runaway}\nAnswer: 7`, '7')).toBe(true)
})
