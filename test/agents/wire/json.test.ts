import { describe, expect, it } from 'vitest'
import { wordsOfBody } from '../../../src/agents/failures/server-words.ts'
import { parseJson, tryParseJson } from '../../../src/agents/wire/json.ts'

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON of servers and programs', () => {
  it('is read up to 200 levels', () => {
    expect(parseJson(lists(200))).toEqual(JSON.parse(lists(200)))
  })

  it.each([201, 2_000, 400_000])('is refused with %i levels', (depth) => {
    expect(() => parseJson(lists(depth))).toThrow('more than 200 levels')
    expect(tryParseJson(`{"error":${lists(depth)}}`)).toBeUndefined()
  })

  it('counts no brackets in strings', () => {
    const value = { text: `${'['.repeat(500)}"\\"${'{'.repeat(500)}` }
    expect(parseJson(JSON.stringify(value))).toEqual(value)
  })

  it('gives a text for the words of a body that is nested too deep', () => {
    expect(wordsOfBody(lists(100_000)).message).toMatch(/^\[{10}/)
  })
})
