import { expect, it } from 'vitest'
import { findWords } from '../../../src/commands/help/sections.ts'
import { readTopics } from '../../../src/commands/help/topics.ts'

const pages = [
  { name: 'a', title: 'A', group: '', text: '# A\nred words and a blue one\n## Blue words\nnone' },
  { name: 'b', title: 'B', group: '', text: '# B\nblue words in this order\nand others' },
]

it('finds the sections with all words, first those that have them in their heading or in this order', () => {
  const found = findWords(pages, ['blue', 'words'])
  expect(found.map(({ section, line }) => [section.topic.name, section.anchor, line])).toEqual([
    ['a', 'blue-words', 'none'],
    ['b', '', 'blue words in this order'],
    ['a', '', 'red words and a blue one'],
  ])
})

it('finds the sections with some of the words where none has all, and nothing for words of no page', () => {
  expect(
    findWords(pages, ['red', 'others'])
      .map(({ section }) => section.topic.name)
      .sort(),
  ).toEqual(['a', 'b'])
  expect(findWords(pages, ['green'])).toEqual([])
})

it.each([
  ['csv', 'own-questions'],
  ['decimal comma', 'own-questions'],
  ['JUnit', 'ci'],
  ['bubblewrap', 'sandbox'],
  ['vitest', 'own-repository'],
])('finds %s in the guide %s among the first five', (words, guide) => {
  const found = findWords(readTopics(), words.split(' ')).slice(0, 5)
  expect(found.map(({ section }) => section.topic.name)).toContain(guide)
})
