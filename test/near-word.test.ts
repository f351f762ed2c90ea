import { expect, it } from 'vitest'
import { nearWord } from '../src/near-word.ts'

const suites = ['answers', 'code', 'python', 'all']

it.each([
  ['cod', 'code'],
  ['cdoe', 'code'],
  ['codes', 'code'],
  ['Answer', 'answers'],
  ['pyhton', 'python'],
  ['al', 'all'],
  ['cide', 'code'],
  ['coed', 'code'],
])('is near where few letters differ or change places: %s', (word, meant) => {
  expect(nearWord(word, suites)).toBe(meant)
})

it.each(['nope', 'x', 'tasks', '', 'bold', 'a', 'typhoon'])('is none where too much differs: %j', (word) => {
  expect(nearWord(word, suites)).toBeUndefined()
})

it('is none where nothing is known', () => {
  expect(nearWord('code', [])).toBeUndefined()
})
