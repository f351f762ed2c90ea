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
])('didYouMean suggests a word in which few letters differ or change places: %s', (word, meant) => {
  expect(didYouMean(word, suites)).toBe(`Did you mean ${meant}?`)
})

it.each(['nope', 'x', 'tasks', '', 'bold', 'a', 'typhoon'])(
  'didYouMean suggests no word that differs too much: %j',
  (word) => {
    expect(didYouMean(word, suites)).toBeUndefined()
  },
)

it('didYouMean suggests nothing without known words', () => {
  expect(didYouMean('code', [])).toBeUndefined()
})
