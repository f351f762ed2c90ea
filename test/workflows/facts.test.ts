import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bulkText } from '../../src/text/token-estimate.ts'
import { factsThatMatter, missingFacts, recall } from '../../src/workflows/facts.ts'

describe('facts that matter', () => {
  it('are requirement ids, paths, identifiers and numbers, in this order', () => {
    const text =
      'R1 and REQ-12: call parseRow() in src/csv/rows.mjs, at most 1,000 rows, each `id` kept (FR-3.1, 95%).'
    expect(factsThatMatter(text)).toMatchSnapshot()
  })

  it('leave out list numbers, prose with slashes and abbreviations', () => {
    expect(factsThatMatter('1. This and/or that, e.g. here.\n2) Nothing else, i.e. nothing.')).toEqual([])
  })

  it('include file names, snake_case, member names, versions and units', () => {
    expect(
      factsThatMatter('See notes.md, max_rows, store.get and v2 within 500ms of 1.2.3.'),
    ).toMatchSnapshot()
  })

  it('count each fact once, the most frequent of a kind first', () => {
    expect(factsThatMatter('R1 R2 R2 R3 R2 R3')).toEqual(['R2', 'R3', 'R1'])
  })

  it('fill at most half of the target, the most important first', () => {
    const text = Array.from({ length: 500 }, (_, i) => `R${i} takes ${i + 1000} rows`).join('\n')
    const facts = factsThatMatter(text, 100)
    expect(facts.length).toBeGreaterThan(10)
    expect(facts.join(' ').length).toBeLessThanOrEqual(50 * 4)
    expect(facts.every((fact) => fact.startsWith('R'))).toBe(true)
  })

  it('do not include the marker of a simulated reply', () => {
    expect(factsThatMatter(`R1 is so. ${bulkText(120_000, 'detail')}`)).toEqual(['R1'])
  })
})

describe('recall', () => {
  it('is the share of facts that the text contains as whole words', () => {
    expect(recall(['R1', 'R2', 'src/a.ts', '10'], 'R1 in src/a.ts:3 takes 100 rows, R20 does not')).toBe(0.5)
    expect(
      missingFacts(['R1', 'R2', 'src/a.ts', '10'], 'R1 in src/a.ts:3 takes 100 rows, R20 does not'),
    ).toEqual(['R2', '10'])
  })

  it('is 1 without facts', () => {
    expect(recall([], '')).toBe(1)
  })

  it('is in [0, 1], and 1 for the text itself', () => {
    const word = fc.oneof(
      fc.constantFrom('R1', 'REQ-12', 'src/a.ts', 'maxRows', '95%', 'and', '1.', '\n', '`x`'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, other) => {
        const text = words.join(' ')
        const facts = factsThatMatter(text)
        const share = recall(facts, other)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
        expect(recall(facts, text)).toBe(1)
      }),
    )
  })
})
