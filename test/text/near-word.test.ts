import { expect, it } from 'vitest'
import { didYouMean } from '../../src/text/near-word.ts'

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
])('asks for a word that is near, where few letters differ or change places: %s', (word, meant) => {
  expect(didYouMean(word, suites)).toBe(`Did you mean ${meant}?`)
})

it.each(['nope', 'x', 'tasks', '', 'bold', 'a', 'typhoon'])(
  'asks for none where too much differs: %j',
  (word) => {
    expect(didYouMean(word, suites)).toBeUndefined()
  },
)

it('suggests nothing without known words', () => {
  expect(didYouMean('code', [])).toBeUndefined()
})
