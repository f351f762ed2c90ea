import { expect, it } from 'vitest'
import { passes } from '../../helpers/machine/answers.ts'

const runaway = `${'a'.repeat(40)}!`

it('a forbidden pattern with catastrophic backtracking ends on a reply of a model', async () => {
  expect(await passes({ kind: 'pattern', require: ['!'], forbid: ['(a+)+$'] }, runaway)).toBe(false)
})

it('an extraction pattern with catastrophic backtracking ends on a reply of a model', async () => {
  const grader = { kind: 'exact', extract: ['(?:(a+)+$)'] }
  expect(await passes(grader, `${runaway}\nAnswer: 7`, '7')).toBe(true)
})
