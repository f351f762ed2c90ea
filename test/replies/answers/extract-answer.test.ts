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
  ['## Answer\n\n58\n\n(Confidence: 80%)', '58'],
  ['### Final Answer\n**58 boats**\nThis is because 50 + 8 = 58.', '58 boats'],
  ['The answer is 3.\n## Answer\n58\nSee above.', '58'],
  ['## Answer\nFirst we count 2 and 3 boats, which go out.\n58', '58'],
  ['## Answer\nStep 1\nCount the boats.\n58', '58'],
  ['## Answer\n1. Count 4 boats\n\n58', '58'],
  ['Answer - 58\n(Confidence: 80%)', '58'],
  ['**Final answer** – Lima\nIt lies in Peru.', 'Lima'],
  ['Answer - explanation\n58', '58'],
  ['| Answer | 58 |\n\nConfidence: 80%', '58'],
  ['| Answer | Count |\n| --- | --- |\n58', '58'],
  ['#### 58\nConfidence: 80%', '58'],
  ['#### RED FOX', 'RED FOX'],
  ['# Lima', 'Lima'],
  ['Lima\n(Confidence: 80%)', 'Lima'],
  ['Lima\n\nI hope this helps!', 'Lima'],
  ['- Lima', '- Lima'],
  ['(north)', '(north)'],
  [
    'The answer is 3. If there were more boats, the answer would be 4.',
    '3. If there were more boats, the answer would be 4.',
  ],
  ['Answer: 58\nMy answer is 90% certain.', '58'],
  ['Answer: 58\nConfidence in this answer: 90%', '58'],
  ['Answer: 58\nFor n = 3 the answer is 4.', '58'],
  ['Answer: 58\nSome say the answer is 4.', '58'],
  ['Answer: 58\n\nQuestion: And now?\nAnswer: 4', '58'],
  ['A: 58\n\nQuestion: And now?\nAnswer: 4', '58'],
  ['Answer: 4\nThat is wrong.\nThe final answer, after 2 checks, is 58.', '58.'],
  ['Answer: 4\nThat is wrong.\nLa respuesta es 58', '58'],
  ['The answer is below:\n\n58', '58'],
  ['The answer is given as follows.\n\n58', '58'],
  ['To get the answer: add 8 to 50.\n\n58', '58'],
  ['If we add both, the answer would be 4.', '4.'],
])('extractAnswer finds the final answer of %j', (reply, answer) => {
  expect(extractAnswer(reply)).toBe(answer)
})

it.each([
  '- Lima\n- Quito',
  '1. Lima\n\n2. Quito',
  'We saw:\n* 4 boats\n* 5 boats\n',
  '#### 58\nThere were 3 boats.',
  'There were 50 boats and then 8 more of them.\n(Confidence: 80%)',
  '(Confidence: 80%)',
  'Answer: 4\nThat is wrong.\nSo it is 58.',
  'A: 58\nMy answer is 90% certain.',
])('extractAnswer finds no answer in %j', (reply) => {
  expect(extractAnswer(reply)).toBeUndefined()
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
