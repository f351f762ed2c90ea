import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bulkText, estimateTokens } from '../../src/text/token-estimate.ts'
import { trimToTokens } from '../../src/workflows/work-context.ts'

it('trimToTokens returns a text that fits', () => {
  expect(trimToTokens('as it is\n\n', 3)).toBe('as it is\n\n')
})

it('trimToTokens cuts at the end of a line', () => {
  expect(trimToTokens('first line\nsecond line\nthird line', 6)).toBe('first line\nsecond line')
})

it('trimToTokens cuts a long line at the end of a sentence', () => {
  const sentence = `${'word '.repeat(20).trim()}.`
  expect(trimToTokens(`${sentence} ${sentence} ${sentence}`, 52)).toBe(`${sentence} ${sentence}`)
})

it('trimToTokens keeps the end on request', () => {
  expect(trimToTokens('thoughts\nmore thoughts\nAnswer: 42', 4, 'end')).toBe('Answer: 42')
})

it('trimToTokens cuts inside a sentence only when none fits', () => {
  expect(trimToTokens('x'.repeat(100), 5)).toBe('x'.repeat(20))
  expect(trimToTokens(`${'x'.repeat(99)}y`, 5, 'end')).toBe(`${'x'.repeat(19)}y`)
})

it('trimToTokens cuts the bulk of a simulated text to what still fits', () => {
  const cut = trimToTokens(`R1 holds.\n${bulkText(50_000, 'detail')}`, 1000)
  expect(cut.startsWith('R1 holds.\n')).toBe(true)
  expect(estimateTokens(cut)).toBe(1000)
})

it('trimToTokens never returns more than the target, nor text that was not there', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.nat(5000).map((tokens) => bulkText(tokens, 'detail')),
  )
  fc.assert(
    fc.property(
      fc.array(line),
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom('start', 'end'),
      (lines, target, keep) => {
        const text = lines.join('\n')
        const cut = trimToTokens(text, target, keep as 'start' | 'end')
        expect(estimateTokens(cut)).toBeLessThanOrEqual(target)
        for (const kept of cut.split('\n').filter((part) => !part.includes('[[')))
          expect(text).toContain(kept)
      },
    ),
  )
})
