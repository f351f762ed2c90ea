import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanJson, cleanText } from '../../src/replies/clean-data.ts'

describe('a text as it is kept', () => {
  it.each([
    ['has \\n as line ends', 'a\r\nb\rc\n', 'a\nb\nc\n'],
    ['has no byte order mark at its start', '\uFEFF\uFEFFa\uFEFFb', 'a\uFEFFb'],
    ['has U+FFFD for half of a pair', 'x\ud83dy\ude00z\ud83d', 'x\ufffdy\ufffdz\ufffd'],
    ['keeps whole pairs', '😀 𝒳', '😀 𝒳'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it('is whole UTF-8, and cleaning it again changes nothing', () => {
    const unit = fc.constantFrom('\ud83d', '\ude00', '\uFEFF', '\r', '\n', 'a')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const clean = cleanText(text)
        expect(Buffer.from(clean).toString()).toBe(clean)
        expect(cleanText(clean)).toBe(clean)
      }),
    )
  })
})

describe('a text of JSON as it is kept', () => {
  it.each([
    ['an escaped half', '{"a":"\\ud83d"}', { a: '\ufffd' }],
    ['the other half', '{"a":"\\uDE00x"}', { a: '\ufffdx' }],
    ['an escaped pair', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['two first halves', '{"a":"\\ud83d\\ud83d\\ude00"}', { a: '\ufffd😀' }],
    ['an escaped backslash', '{"a":"\\\\ud83d"}', { a: '\\ud83d' }],
    ['a half as it is', '{"a":"\ud83d"}', { a: '\ufffd' }],
    ['line ends in a text, which are its own', '{"a":"1\\r\\n2"}', { a: '1\r\n2' }],
  ])('with %s', (_, json, value) => {
    expect(JSON.parse(cleanJson(json))).toEqual(value)
  })

  it('parses to the value with U+FFFD for halves', () => {
    const texts = fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\\', '"', 'u', 'd83d', '\n') })
    fc.assert(
      fc.property(texts, (text) => {
        const halves = /\p{Surrogate}/gu
        expect(JSON.parse(cleanJson(JSON.stringify(text)))).toBe(text.replace(halves, '\ufffd'))
      }),
    )
  })
})
