import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bulkText, estimateTokens, splitBulk, textOfSize } from '../src/tokens.ts'

it('counts a marker as the tokens that it names, and the rest of a text by its length', () => {
  expect(estimateTokens('abcde')).toBe(2)
  expect(estimateTokens(`abcd${bulkText(1200, 'thoughts')}efgh`)).toBe(1202)
  expect(estimateTokens('[[[5 tokens of a]][[7 tokens of b]]')).toBe(13)
})

/** What a marker is, said apart from the code that reads it. */
const marker = /\[\[(\d+) tokens of [^\]\n]*\]\]/g

it('measures what is left of a text as if its markers had been cut out, whatever stands in it', () => {
  const part = fc.constantFrom(
    ...['[[', '[', '5', '12', ' tokens of ', ' tokens', ' of ', 'x', ']]', ']', '\n', '٣', '0', 'é'],
    ...['[[7 tokens of a]]', '[[8 tokens of ]]', '99999999999999999999'],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const { plain, bulkTokens } = splitBulk(text)
      expect(plain).toBe(text.replace(marker, ''))
      const named = [...text.matchAll(marker)].map(([, tokens]) => Number(tokens))
      expect(bulkTokens).toBe(named.reduce((sum, tokens) => sum + tokens, 0))
      expect(estimateTokens(text)).toBe(bulkTokens + Math.ceil(plain.length / 4))
    }),
    { numRuns: 2000 },
  )
})

it('makes texts of a size, and estimates them as any others', () => {
  const part = fc.string({
    unit: fc.constantFrom('[', '[[', '5', ' tokens of ', 'x', ']]', '\n', 'é'),
    maxLength: 9,
  })
  const size = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.double({ min: 0, max: 9, noNaN: true }))
  fc.assert(
    fc.property(part, part, size, (before, after, tokens) => {
      const text = textOfSize(before, after, tokens, 'thoughts')
      const estimate = estimateTokens(text)
      const plain = text.replace(marker, '')
      const named = [...text.matchAll(marker)].map(([, number]) => Number(number))
      expect(estimate).toBe(named.reduce((sum, number) => sum + number, Math.ceil(plain.length / 4)))
      if (Number.isInteger(tokens) && !`${before}${after}`.includes('['))
        expect(estimate).toBe(Math.max(tokens, estimateTokens(before + after)))
      expect(text.startsWith(before) && text.endsWith(after)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
