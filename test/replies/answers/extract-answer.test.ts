import { expect, it } from 'vitest'
import { extractAnswer, readAnswer } from '../../../src/replies/answers/extract-answer.ts'

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
  ['Final Answer: The answer is (B).', '(B).'],
  ['the correct answer is:\nThe answer is (B).', '(B).'],
  ['Answer: 3\nWait. So the answer is 4.', '4.'],
  ['Answer: 3\nThe answer is correct.', '3'],
  ['Answer: 3\nIf the answer is 4, all fails.', '3'],
  ['#### Final Answer:\n(A) 1', '(A) 1'],
  ['#### Step 1: add\nthe final answer is 7.', '7.'],
  ['Answer: 3\n#### Conclusion', '3'],
  ['## Answer\n\n42', '42'],
  ['Answer:\n\\[\n8\n\\]', '8'],
  ['The answer is:\n$$\n8\n$$', '8'],
  ['Final answer:\n\n```\n42\n```', '42'],
  ['\\[ \\text{Answer: } D \\]', 'D'],
  ['\\text{Answer: D}', 'D'],
  ['\\boxed{\\text{Answer: D}}', 'D'],
  ['the answer is:\n- Yes', 'Yes'],
  ['the answer is:\n1. Yes', 'Yes'],
  ['the answer is:\n- Yes\n- No', 'Yes\nNo'],
  ['Answer: No**, she did', 'No**, she did'],
  ['<answer>B</answer>', 'B'],
  ['{"answer": "B", "sure": true}', 'B'],
  ['So the answer is } ].', '} ].'],
  ['\\boxed{3} or \\boxed{4}', '\\boxed{3} or \\boxed{4}'],
  ['The answer is 3, or the answer is 4', '3, or the answer is 4'],
  ['Answer: 42\n```python\nanswer = 6\nprint("Answer:", answer)\n```', '42'],
  ['Ответ: A', 'A'],
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

it.each([
  ['Answer: 12', 'what follows "Answer:" on line 1'],
  ['one\n\\boxed{2}', '\\boxed{…} on line 2'],
  ['Answer:\n\n5', 'what stands below "Answer:" on line 1'],
  ['one\n#### 5', 'what follows "####" on line 2'],
  ['one\ntwo', 'the last line'],
])('readAnswer says where the answer of %j stood', (reply, found) => {
  expect(readAnswer(reply)?.found).toBe(found)
})
