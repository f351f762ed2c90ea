import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestPassage, passagesOf } from '../../src/memory/memory.ts'

const places = (text: string) => passagesOf(text).map(({ heading, from, to }) => `${from}-${to} ${heading}`)

describe('the passages of a text', () => {
  it('end at blank lines and begin at headings, of which each has the nearest', () => {
    expect(places('intro\n\n# One\nfirst\n\nsecond\nline\n## Two ##\n\nthird\n')).toEqual([
      '1-1 ',
      '3-4 One',
      '6-7 One',
      '8-10 Two',
    ])
  })

  it('are the same whatever ends a line', () => {
    const text = '# One\na\n\nb\n'
    expect(passagesOf(text.replaceAll('\n', '\r\n'))).toEqual(passagesOf(text))
    expect(passagesOf(text.replaceAll('\n', '\r'))).toEqual(passagesOf(text))
  })

  it('hold a heading with its text, whatever blank lines are between them', () => {
    expect(passagesOf('# One\n\n\ntext\n\n# Two\n\n# Three\n')).toEqual([
      { heading: 'One', text: '# One\n\n\ntext', from: 1, to: 4 },
      { heading: 'Two', text: '# Two', from: 6, to: 6 },
      { heading: 'Three', text: '# Three', from: 8, to: 8 },
    ])
  })

  it('take only Markdown’s own signs for headings', () => {
    expect(places('#hashtag\n####### seven\n    # code\nx')).toEqual(['1-4 '])
  })

  it('are none in an empty text', () => {
    expect(passagesOf('')).toEqual([])
    expect(passagesOf(' \n\t\n')).toEqual([])
  })

  it('are bounded, hold every character once, and divide none', () => {
    const piece = fc.constantFrom(
      'word ',
      '界',
      '🚀',
      'x'.repeat(1_500),
      '\n',
      '\n\n',
      '# h\n',
      'y'.repeat(4_001),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const passages = passagesOf(text)
        const without = (one: string) => one.replace(/\s/g, '')
        expect(without(passages.map((one) => one.text).join(''))).toBe(without(text))
        for (const { text, from, to } of passages) {
          expect(text.length).toBeLessThanOrEqual(longestPassage)
          expect(Buffer.from(text).toString()).toBe(text)
          expect(from).toBeLessThanOrEqual(to)
        }
      }),
      { numRuns: 50 },
    )
  })
})
