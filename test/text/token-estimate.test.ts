import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bulkText, estimateTokens, splitBulk, textOfSize } from '../../src/text/token-estimate.ts'

it('an estimate counts a marker as its number of tokens, and other text by its length', () => {
  expect(estimateTokens('abcde')).toBe(2)
  expect(estimateTokens(`abcd${bulkText(1200, 'thoughts')}efgh`)).toBe(1202)
  expect(estimateTokens('[[[5 tokens of a]][[7 tokens of b]]')).toBe(13)
})

it('splitting removes markers, and nothing that only looks like one', () => {
  expect(splitBulk('a[[7 tokens of x]]b[[8 tokens of ]]c')).toEqual({ plain: 'abc', bulkTokens: 15 })
  for (const plain of [
    '[[٣ tokens of x]]',
    '[[5 tokens of x\n]]',
    '[[5 tokens of x]y]]',
    '[[ tokens of x]]',
    '[[5 tokens]]',
  ])
    expect(splitBulk(plain)).toEqual({ plain, bulkTokens: 0 })
})

it('a text of a given size has a marker for the missing tokens', () => {
  const part = fc.string({ unit: fc.constantFrom('5', ' tokens of ', 'x', ']]', '\n', 'é'), maxLength: 9 })
  fc.assert(
    fc.property(part, part, fc.integer({ min: -2, max: 40 }), (before, after, tokens) => {
      const text = textOfSize(before, after, tokens, 'thoughts')
      expect(estimateTokens(text)).toBe(Math.max(tokens, estimateTokens(before + after)))
      expect(text.startsWith(before) && text.endsWith(after)).toBe(true)
    }),
  )
})
