import { expect, it } from 'vitest'
import { pickNumber } from '../../../src/replies/answers/pick-number.ts'
import { extractAnswer } from '../../../src/replies/answers/read-answer.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const read = (text: string) => {
  const picked = pickNumber(text)
  return 'problem' in picked ? picked.problem : picked.number.values[0]
}

it.each(tableOf<[string, number][]>(import.meta.url, 'number'))('the number of %j is %d', (text, value) => {
  expect(read(text)).toBe(value)
})

it.each(tableOf<string[]>(import.meta.url, 'givesNo'))('%j gives no number', (text) => {
  expect(read(text)).toBeTypeOf('string')
})

it.each(tableOf<string[]>(import.meta.url, 'givesNo2'))('%j gives no number', (text) => {
  expect(pickNumber(text)).toHaveProperty('problem')
})

const numberOf = (reply: string) => {
  const picked = pickNumber(extractAnswer(reply) ?? '')
  return 'problem' in picked ? undefined : picked.number.values[0]
}

it.each([
  ['The answer is 42. With 40 lamps it would be too dark.', 42],
  ['Answer: 84. (12 boxes of 7.)', 84],
  ['So the answer is 15 apples, since Tom had 20.', 15],
  ['Answer: 42 km. The train drove 6 hours at 7 km/h.', 42],
  ['Answer: 42; 40 would be too few.', 42],
  ['The answer is 42. Wait, no: 41.', 41],
  ['The answer is 42. Actually, the answer is 41.', 41],
  ['Answer: 42. No, that is wrong.', undefined],
  ['Answer: 42. Or 43.', undefined],
  ['Answer: 42. 43.', undefined],
  ['Answer: 42. The correct value is 43.', 43],
  ['Answer: 42. It could also be 43.', undefined],
  ['Answer: x = 3. y = 4.', undefined],
  ['Answer: 42. I was wrong; it is 43.', 43],
  ['Answer: 42. My mistake: 43.', 43],
  ['Answer: 42. Hold on, 43.', 43],
  ['Answer: 42. This is off by one, it must be 43.', undefined],
  ["Answer: 42. In fact it's 43.", 43],
  ["Answer: 42. In fact it's 42.", 42],
  ['Answer: 42. Adding the last one gives 43.', undefined],
  ['Answer: 42. I take that back.', undefined],
  ['Answer: the number of different ways is 42', 42],
  ['Answer: 5 (it is not 6, since 6 is even)', 5],
  ['Answer: different from 42', undefined],
  ['Answer: anything but 42', undefined],
  ['Answer: all numbers but 42', undefined],
  ['Answer: any value apart from 42', undefined],
])('of the reply %j the number is %s', (reply, value) => {
  expect(numberOf(reply)).toBe(value)
})

it.each(tableOf<[string, number | null][]>(import.meta.url, 'unannounced'))(
  'the last line %j states %s',
  (text, value) => {
    const picked = pickNumber(text, false)
    expect('problem' in picked ? null : picked.number.values[0]).toBe(value)
  },
)

it('a last line that announces nothing is read whole', () => {
  expect(pickNumber('1. Tom has 42 apples', false)).toHaveProperty('problem')
})

it.each([
  [
    'A book has 44 pages. How many a day in 4 days?',
    'Solo reads an average of 6 pages a day in the remaining 4 days.',
    6,
  ],
  ['How many ways have 8 people to sit?', 'There are 720 ways for 8 people to sit around a table.', 720],
  [
    'How many dollars are 1,000,000 lire?',
    '1,000,000 lire is equivalent to 1,250 dollars at that rate.',
    1250,
  ],
  ['How many are left of 8?', 'There are 5 apples or 8 apples left.', undefined],
  ['How many are left of 8?', 'There are 5 apples and 6 pears left of 8.', undefined],
])('to %j the sentence %j gives %s', (question, answer, value) => {
  const picked = pickNumber(answer, true, question)
  expect('problem' in picked ? undefined : picked.number.values[0]).toBe(value)
})

it('a number in a text of many letters without spaces is read', () => {
  // Ways to part 100 letters into six words took minutes.
  expect(read(`${'不'.repeat(100)}24${'的'.repeat(100)}`)).toBeDefined()
})
