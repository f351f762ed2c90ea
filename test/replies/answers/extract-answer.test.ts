import { expect, it } from 'vitest'
import { extractAnswer } from '../../../src/replies/answers/extract-answer.ts'

it.each([
  ['Answer: 12', '12'],
  ['First 3.\nAnswer: 4\nWait.\nAnswer: 5', '5'],
  ['**Answer:** 12', '12'],
  ['**Answer: 12**', '12'],
  ['**Final answer**: `x`', 'x'],
  ['The answer is 12.', '12.'],
  ['The answer is: 12', '12'],
  ['Answer:\n\n  42', '42'],
  ['worked out <<1+1=2>>\n#### 1,800', '1,800'],
  ['so \\boxed{\\frac{1}{2}} it is', '\\frac{1}{2}'],
  ['Answer: $\\boxed{7}$', '7'],
  ['Answer: 3\n\\boxed{4}', '4'],
  ['Answer: 42\n\nI hope that this answer is clear.', '42'],
  ['Answer: 1. No: the answer is: 2', '2'],
  ['some words\nand a last line  \n\n', 'and a last line'],
  ['one\r\ntwo\r\n', 'two'],
  ['$12$', '12'],
  ['$12', '$12'],
  ['"quoted"', 'quoted'],
  ['no answers here\nyes', 'yes'],
])('extractAnswer finds the final answer of %j', (reply, answer) => {
  expect(extractAnswer(reply)).toBe(answer)
})

it('extractAnswer returns the last match of the first pattern that matches', () => {
  expect(extractAnswer('x=1 y=2 x=3', ['z=(\\d)', 'x=(\\d)', 'y=(\\d)'])).toBe('3')
})

it('extractAnswer uses the default rules if no pattern matches', () => {
  expect(extractAnswer('Answer: 9', ['z=(\\d)'])).toBe('9')
})

it('extractAnswer returns undefined for an empty reply', () => {
  expect([undefined, '', '  \n'].map((reply) => extractAnswer(reply))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
