import { expect, it } from 'vitest'
import { extractAnswer, readAnswer } from '../../../src/replies/answers/read-answer.ts'
import { tableOf } from '../../helpers/house/tables.ts'

it.each(tableOf<[string, string][]>(import.meta.url, 'extractanswerFinds'))(
  'extractAnswer finds the final answer of %j',
  (reply, answer) => {
    expect(extractAnswer(reply)).toBe(answer)
  },
)

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

it.each(tableOf<string[]>(import.meta.url, 'takesBack'))('an answer before %j is taken back', (behind) => {
  expect(extractAnswer(`Answer: 42\n${behind}`)).toBeUndefined()
})

it.each(tableOf<string[]>(import.meta.url, 'keeps'))('an answer before %j is kept', (behind) => {
  expect(extractAnswer(`Answer: 42\n${behind}`)).toBe('42')
})

it.each(tableOf<[string, string][]>(import.meta.url, 'corrected'))(
  'of %j the answer is %j',
  (reply, answer) => {
    expect(extractAnswer(reply)).toBe(answer)
  },
)

it('what replaces an answer that is taken back is the answer', () => {
  expect(extractAnswer('Answer: 42\nI retract this.\nUpdate: the answer is 43')).toBe('43')
})

it('extractAnswer returns the last match of the first pattern that matches', () => {
  expect(extractAnswer('x=1 y=2 x=3', ['z=(\\d)', 'x=(\\d)', 'y=(\\d)'])).toBe('3')
})

it('extractAnswer uses the default rules if no pattern matches', () => {
  expect(extractAnswer('Answer: 9', ['z=(\\d)'])).toBe('9')
})

it('an answer is read at the end of a line of any length', () => {
  expect(extractAnswer(`${'9'.repeat(100_000)}. The answer is 42.`)).toBe('42.')
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
