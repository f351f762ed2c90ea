import { describe, expect, it } from 'vitest'
import { readArguments } from '../../../src/agent-tools/arguments.ts'
import { modelDefinition, refusedArguments } from '../../../src/agent-tools/mcp/model-definition.ts'

const text = { type: 'string' }
const seen = (schema: Record<string, unknown>, description = 'Does it.') =>
  modelDefinition({ description, inputSchema: { type: 'object', ...schema } })

describe('what models see of a tool', () => {
  it.each([
    {},
    {
      properties: { a: { anyOf: [text, { type: 'null' }] } },
      required: ['a'],
      additionalProperties: false,
    },
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: text } },
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: text } },
  ])('is the schema of its server, if all vendors take it: %j', (schema) => {
    const given = { description: '', inputSchema: { type: 'object', ...schema } }
    expect(modelDefinition(given)).toEqual(given)
  })

  it.each(['anyOf', 'oneOf'])(
    'has all arguments of its alternatives (%s), and those required that all require',
    (how) => {
      const both = [
        {
          type: 'object',
          properties: { content: text, kind: { const: 'text' } },
          required: ['kind', 'content'],
        },
        { type: 'object', properties: { url: text, kind: { const: 'link' } }, required: ['kind', 'url'] },
      ]
      const { description, inputSchema } = seen({ [how]: both, properties: { id: text }, required: ['id'] })
      expect(inputSchema).toEqual({
        type: 'object',
        properties: { id: text, content: text, url: text, kind: { type: 'string', enum: ['text', 'link'] } },
        required: ['id', 'kind'],
      })
      expect(description).toBe(
        `Does it.\n\nThe arguments must also match this JSON Schema: ${JSON.stringify({ [how]: both })}`,
      )
    },
  )

  it('keeps its arguments where alternatives only say which are required', () => {
    const schema = { properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    const { description, inputSchema } = seen(schema, '')
    expect(inputSchema).toEqual({ type: 'object', properties: schema.properties })
    expect(description).toMatchSnapshot()
    expect(readArguments('{}', { type: 'object', ...schema })).toHaveProperty('problem')
  })

  it('joins parts that must all match, and says nothing more', () => {
    const $defs = { base: { properties: { a: text }, required: ['a'] } }
    const parts = [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }]
    expect(seen({ $defs, allOf: parts })).toEqual({
      description: 'Does it.',
      inputSchema: { type: 'object', $defs, properties: { a: text, b: text }, required: ['a', 'b'] },
    })
    expect(seen({ $defs, $ref: '#/$defs/base' }).inputSchema).toEqual({
      ...{ type: 'object', $defs, properties: { a: text }, required: ['a'] },
    })
  })

  it('says conditions in words, and looks through alternatives in alternatives', () => {
    const inner = { oneOf: [{ properties: { b: text } }, { properties: { c: { type: 'number' } } }] }
    const { description, inputSchema } = seen({
      ...{
        anyOf: [inner, { type: 'array' }, { properties: { b: { type: 'number' } } }],
        not: { required: ['c'] },
      },
      ...Object.fromEntries([['then', { properties: { d: text } }]]),
      ...{ if: { required: ['a'] }, else: false },
    })
    expect(inputSchema.properties).toEqual({
      b: { anyOf: [text, { type: 'number' }] },
      c: { type: 'number' },
      d: text,
    })
    for (const word of ['"anyOf"', '"not"', '"if"', '"then"', '"else"']) expect(description).toContain(word)
    for (const word of ['anyOf', 'not', 'if', 'then', 'else']) expect(inputSchema).not.toHaveProperty(word)
  })

  it.each([
    ['references in a circle', { $ref: '#' }],
    ['alternatives in a circle', { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }],
    ['alternatives that are no list', { anyOf: { a: 1 } }],
    ['no alternative', { oneOf: [] }],
    ['properties that are null', { properties: null, required: true }],
  ])('is an object for %s', (_, schema) => {
    expect(seen(schema).inputSchema).toMatchObject({ type: 'object' })
  })

  it('is of draft 2020-12, whatever the server writes', () => {
    const $schema = 'http://json-schema.org/draft-04/schema#'
    const items = [{ type: 'number', minimum: 0, exclusiveMinimum: true }]
    const a = { type: 'array', items, id: 'x' }
    expect(
      seen({ $schema, properties: { a, b: { pattern: '(?<!x*)(?#c)' } }, required: true }),
    ).toMatchSnapshot()
  })

  it('names arguments that vendors refuse, also those of alternatives', () => {
    const { inputSchema } = seen({
      properties: { 'a.b-c_1': text, 'c d': text, ['x'.repeat(65)]: text, n: { properties: { ö: text } } },
      anyOf: [{ properties: { é: text } }],
    })
    expect(refusedArguments(inputSchema)).toEqual(['c d', 'x'.repeat(65), 'é'])
  })
})
