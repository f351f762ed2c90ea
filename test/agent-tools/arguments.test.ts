import { describe, expect, it } from 'vitest'
import { readArguments, schemaProblem } from '../../src/agent-tools/arguments.ts'

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

  it.each([
    ['an unknown type', { type: 'objekt' }],
    ['a reference to nothing', { type: 'object', $ref: '#/$defs/none' }],
    ['a reference to another server', { type: 'object', $ref: 'https://example.org/schema' }],
    ['a pattern that is none', { type: 'object', properties: { a: { pattern: '(' } } }],
    ['a $schema that nobody knows', { $schema: 'https://example.org/draft', type: 'object' }],
  ])('with a schema that has %s are broken, and throw nothing', (_, schema) => {
    expect(schemaProblem(schema)).toBeTypeOf('string')
    expect(readArguments('{"a":"x"}', schema)).toHaveProperty('broken')
  })

  it('may have two schemas with one $id', () => {
    for (const type of ['string', 'number'])
      expect(schemaProblem({ $id: 'x', type: 'object', properties: { a: { type } } })).toBeUndefined()
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
    expect(readArguments('{"constructor":"x"}', schema)).toEqual({
      problem: "the arguments: must have required property 'toString'.",
    })
  })
})
