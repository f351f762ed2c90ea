import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bulkText, estimateJoined, estimateTokens, splitBulk } from '../src/tokens.ts'

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
    fc.property(fc.array(part, { maxLength: 12 }), fc.nat(12), (parts, cut) => {
      const text = parts.join('')
      const joined = estimateJoined(parts.slice(0, cut).join(''), parts.slice(cut).join(''))
      expect(joined).toBe(estimateTokens(text))
      const { plain, bulkTokens } = splitBulk(text)
      expect(plain).toBe(text.replace(marker, ''))
      const named = [...text.matchAll(marker)].map(([, tokens]) => Number(tokens))
      expect(bulkTokens).toBe(named.reduce((sum, tokens) => sum + tokens, 0))
      expect(estimateTokens(text)).toBe(bulkTokens + Math.ceil(plain.length / 4))
    }),
    { numRuns: 2000 },
  )
})
