import { expect, it } from 'vitest'
import { parseDecimal, parseWholeNumber } from '../../../src/commands/values/parse-values.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'

it.each([
  ['9007199254740993', 'is too large: the maximum is 9007199254740991'],
  ['99999999999999999999', 'is too large: the maximum is 9007199254740991'],
  ['1e3', 'must consist of digits only'],
  ['1.5', 'is not a whole number of at least 1'],
  ['x', 'is not a whole number of at least 1'],
  ['0', 'must be at least 1'],
])('parseWholeNumber reports what is wrong with %s', (text, what) => {
  const problems: Problem[] = []
  parseWholeNumber(problems, '--seed', text, 1)
  expect(problems.map(formatProblem)).toEqual([`[--seed ${text}] ${what}. Write for example --seed 1.`])
})

it('parseWholeNumber accepts whole numbers up to the largest exact one', () => {
  const problems: Problem[] = []
  expect(parseWholeNumber(problems, '--seed', '9007199254740991', 1)).toBe(Number.MAX_SAFE_INTEGER)
  expect(problems).toEqual([])
})

it('parseDecimal reads decimal numbers and rejects other text', () => {
  for (const [text, number] of [
    ['3', 3],
    [' 0.05 ', 0.05],
    ['.5', 0.5],
    ['-1', -1],
    ['1e3', 1000],
  ] as const)
    expect(parseDecimal(text)).toBe(number)
  for (const text of ['', ' ', '0x10', '0b1', '1_000', 'Infinity', '5%', '1,5', 'e3', '.'])
    expect(parseDecimal(text), text).toBeNaN()
})
