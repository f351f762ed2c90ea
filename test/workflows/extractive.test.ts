import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bulkText, estimateTokens } from '../../src/text/token-estimate.ts'
import { factsThatMatter, recall } from '../../src/workflows/facts.ts'
import { extractiveSummary } from '../../src/workflows/summary.ts'

const prose =
  'There is much to be said about this, and all of it is said at length here without telling anything.'

describe('an extractive summary', () => {
  it('takes the lines with the most facts, in the order of the text', () => {
    const text = [prose, 'R1: parseRow in src/rows.mjs', prose, 'R2: at most 500 rows', prose].join('\n')
    expect(extractiveSummary(text, 15)).toBe('R1: parseRow in src/rows.mjs\nR2: at most 500 rows')
  })

  it('spends no room on facts that it has already', () => {
    const text = ['R1 maxRows', 'R1 maxRows R1', 'R2 is here too'].join('\n')
    expect(extractiveSummary(text, 7)).toBe('R1 maxRows\nR2 is here too')
  })

  it('fills the remaining room from the top', () => {
    const text = ['A heading', prose, 'R1: parseRow', prose].join('\n')
    expect(extractiveSummary(text, 8)).toBe('A heading\nR1: parseRow')
  })

  it('picks sentences of long lines', () => {
    const text = `${prose} ${prose} R7 wants 12 columns. ${prose}`
    expect(extractiveSummary(text, 8)).toBe('R7 wants 12 columns.')
  })

  it('keeps far more facts than a cut of equal length does', () => {
    const lines = Array.from({ length: 200 }, (_, i) =>
      i % 10 === 0 ? `R${i} uses helper${i}Fn and ${i * 7} rows` : prose,
    )
    const text = lines.join('\n')
    const facts = factsThatMatter(text, 400)
    expect(recall(facts, extractiveSummary(text, 400))).toBeGreaterThan(0.95)
    expect(recall(facts, text.slice(0, 1600))).toBeLessThan(0.2)
  })

  it('keeps as much of a simulated text’s bulk as fits', () => {
    const summary = extractiveSummary(`R1 holds.\n${bulkText(100_000, 'detail')}`, 10_000)
    expect(summary).toContain('R1 holds.')
    expect(estimateTokens(summary)).toBe(10_000)
  })

  it('stays within the target and keeps the order, whatever the text', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 260 }),
      fc.constantFrom(prose, 'R1: parseRow', '- R2: src/rows.mjs holds 500', `${prose} R3 is so. ${prose}`),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 300 }), (lines, target) => {
        const text = lines.join('\n')
        const summary = extractiveSummary(text, target)
        expect(estimateTokens(summary)).toBeLessThanOrEqual(target)
        let from = 0
        for (const kept of summary.split('\n')) {
          // Sentences between two sentences of a line may be missing.
          for (const part of text.includes(kept) ? [kept] : kept.split(/(?<=[.!?]) +/)) {
            const at = text.indexOf(part, from)
            expect(at).toBeGreaterThanOrEqual(0)
            from = at + part.length
          }
        }
      }),
    )
  })
})
