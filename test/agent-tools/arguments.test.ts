import { describe, expect, it } from 'vitest'
import { readArguments, usableSchema } from '../../src/agent-tools/arguments.ts'
import { tableOf } from '../helpers/house/tables.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'

describe('the arguments of a call', () => {
  it.each([
    ['2020-12', { type: 'object', properties: { p: { prefixItems: [{ type: 'number' }] } } }, { p: ['x'] }],
    [
      'draft 7',
      { $schema: draft7, type: 'object', properties: { p: { items: [{ type: 'number' }] } } },
      { p: ['x'] },
    ],
  ])('are checked by %s', (_, schema, args) => {
    expect(readArguments(JSON.stringify(args), schema)).toEqual({ problem: 'p.0: must be number.' })
    expect(readArguments('{"p":[1]}', schema)).toEqual({ args: { p: [1] } })
  })

  it.each(
    tableOf<
      [
        string,
        (
          | Record<string, Record<string, Record<string, string>>>
          | Record<string, string>
          | Record<string, Record<string, Record<string, unknown>>>
          | Record<string, never[]>
          | Record<string, Record<string, string>>
          | Record<string, Record<string, unknown>>
        ),
        string[],
      ][]
    >(import.meta.url, 'bySchema'),
  )('by a schema that has %s are checked by the rest of it', (_, part, leftOut) => {
    const schema = { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1, ...part }
    expect(usableSchema(schema).leftOut).toEqual(leftOut)
    expect(readArguments('{"a":"x"}', schema)).toEqual({ args: { a: 'x' } })
    expect(readArguments('{}', schema)).toHaveProperty('problem')
  })

  const numbers = (change: object) => ({ type: 'object', properties: { p: { type: 'number', ...change } } })
  it.each([
    ['draft 4', { ...numbers({ minimum: 1, exclusiveMinimum: true }), id: 'x' }, [2], [1]],
    ['draft 4', numbers({ minimum: 1, exclusiveMinimum: false }), [1], [0]],
    ['draft 6', { properties: { p: { items: [{ type: 'number' }] } } }, [[1, 'x']], [['x']]],
    ['draft 6', { properties: { p: { items: [true], additionalItems: false } } }, [[1]], [[1, 2]]],
    ['draft 7', { properties: { p: {} }, dependencies: { p: ['q'] } }, [], [1]],
    ['2019-09', { properties: { p: { $recursiveRef: '#' } } }, [{}], [1]],
    ['OpenAPI', numbers({ nullable: true }), [1, null], ['x']],
  ])('are checked by %s, whatever its $schema is', (draft, schema, right, wrong) => {
    const name = { 'draft 4': 'http://json-schema.org/draft-04/schema#', '2019-09': '…/2019-09/schema' }[
      draft
    ]
    for (const $schema of [undefined, name, 'https://example.org/unknown', 5]) {
      const whole = { type: 'object', ...schema, ...($schema !== undefined && { $schema }) }
      expect(usableSchema(whole).leftOut).toEqual([])
      for (const p of right) expect(readArguments(JSON.stringify({ p }), whole)).toEqual({ args: { p } })
      for (const p of wrong) expect(readArguments(JSON.stringify({ p }), whole)).toHaveProperty('problem')
    }
  })

  it('are not checked by keywords without a meaning, as servers send them', () => {
    const schema = { type: 'object', properties: { a: { required: true, default: null } }, required: null }
    expect(usableSchema(schema).leftOut).toEqual([])
    expect(readArguments('{}', schema)).toHaveProperty('problem')
    expect(readArguments('{}', { type: 'object', properties: null, required: true })).toEqual({ args: {} })
    expect(readArguments('{"a":1}', { type: 'object', $async: true, maxProperties: 0 })).toHaveProperty(
      'problem',
    )
  })

  it.each([
    ['(?i)^[a-z]+$', 'ABC', '1'],
    ['\\A\\d+\\Z', '12', 'A12'],
    ['^(?P<year>\\d{4})-(?P=year)$', '2026-2026', '2026-2025'],
    ['^[\\w\\-\\.\\@]+$', 'a-b.c@d', 'a b'],
    ['^\\p{Lu}+$', 'ÄÖ', 'p{Lu}'],
    ['^{x}$', '{x}', 'x'],
  ])('are checked by the pattern %s of another language', (pattern, right, wrong) => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern } } }
    expect(usableSchema(schema).leftOut).toEqual([])
    expect(readArguments(JSON.stringify({ a: right }), schema)).toHaveProperty('args')
    expect(readArguments(JSON.stringify({ a: wrong }), schema)).toHaveProperty('problem')
  })

  it('with a reference to itself end, and go to the server', () => {
    const schema = { type: 'object', $ref: '#' }
    expect(readArguments('{"a":1}', schema)).toEqual({ args: { a: 1 } })
  })

  it('may have two schemas with one $id', () => {
    for (const type of ['string', 'number'])
      expect(usableSchema({ $id: 'x', type: 'object', properties: { a: { type } } }).leftOut).toEqual([])
  })

  it('do not hang on a pattern that takes for ever', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    const started = performance.now()
    expect(readArguments(JSON.stringify({ a: `${'a'.repeat(60)}!` }), schema)).toHaveProperty('problem')
    expect(performance.now() - started).toBeLessThan(5000)
    expect(readArguments('{"a":"aaa"}', schema)).toEqual({ args: { a: 'aaa' } })
  })

  it('with names of Object itself are fields like others', () => {
    const schema = { type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] }
    expect(readArguments('{"constructor":"x"}', schema)).toMatchSnapshot()
  })
})
