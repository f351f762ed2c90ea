import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, it } from 'vitest'
// @ts-expect-error: a plain script
import { plainWidths } from '../scripts/plain-widths.mjs'

it('the bundle measures every text as wide as the library of the tables does', () => {
  const ofTables = createRequire(createRequire(import.meta.url).resolve('cli-table3'))
  const path = ofTables.resolve('string-width')
  const width: (text: string) => number = ofTables(path)
  const bundled = { exports: width }
  new Function('module', 'require', plainWidths.load(path))(bundled, createRequire(path))
  expect(bundled.exports).not.toBe(width)
  const plain = fc.oneof(fc.integer({ min: 32, max: 126 }), fc.integer({ min: 0x2010, max: 0x2027 }))
  const plainText = fc.array(plain).map((codes) => String.fromCharCode(...codes))
  const anyText = fc.oneof(plainText, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(anyText, (text) => {
      expect(bundled.exports(text)).toBe(width(text))
    }),
    { examples: [['…'], ['‼️'], ['#️⃣'], ['\u001b[1m…\u001b[0m'], ['漢字'], ['‐‑‒–—']], numRuns: 2000 },
  )
})
