import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { GraphDocument, graphJsonSchema } from '../../../src/schema/graph/document.ts'
import { badDocuments } from '../../helpers/graph/bad-documents.ts'
import { documentOf } from '../../helpers/graph/documents.ts'
import { randomDocument } from '../../helpers/graph/random-documents.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords that tell people something and refuse nothing. */
const notes = ['$schema', '$id', '$defs', 'title', 'description', 'default', 'format']

/** Whether a value is valid by a JSON Schema of draft 2020-12. Throws for a keyword that it does not know, so that nothing is passed over. */
function isValidJson(value: unknown, schema: Schema, root: Schema = schema): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (notes.includes(keyword)) return true
    const check = keywords[keyword]
    if (!check) throw new Error(`the validator does not know the keyword ${keyword}`)
    return check(value, rule, {
      schema,
      isValid: (inner, by) => isValidJson(inner, by as Schema, root),
      root,
    })
  })
}

interface Around {
  schema: Schema
  root: Schema
  isValid(value: unknown, schema: unknown): boolean
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const count = (rules: unknown, holds: (rule: unknown) => boolean) => (rules as unknown[]).filter(holds).length

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isMap,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
}

const keywords: Readonly<Record<string, (value: unknown, rule: unknown, around: Around) => boolean>> = {
  type: (value, rule) => types[String(rule)]?.(value) ?? false,
  const: (value, rule) => value === rule,
  enum: (value, rule) => (rule as unknown[]).includes(value),
  not: (value, rule, { isValid }) => !isValid(value, rule),
  anyOf: (value, rule, { isValid }) => count(rule, (one) => isValid(value, one)) > 0,
  oneOf: (value, rule, { isValid }) => count(rule, (one) => isValid(value, one)) === 1,
  $ref: (value, rule, { isValid, root }) =>
    isValid(value, (root.$defs as Schema)[String(rule).replace('#/$defs/', '')]),
  minimum: (value, rule) => typeof value !== 'number' || value >= Number(rule),
  exclusiveMinimum: (value, rule) => typeof value !== 'number' || value > Number(rule),
  maximum: (value, rule) => typeof value !== 'number' || value <= Number(rule),
  minLength: (value, rule) => typeof value !== 'string' || [...value].length >= Number(rule),
  maxLength: (value, rule) => typeof value !== 'string' || [...value].length <= Number(rule),
  pattern: (value, rule) => typeof value !== 'string' || new RegExp(String(rule), 'u').test(value),
  minItems: (value, rule) => !Array.isArray(value) || value.length >= Number(rule),
  items: (value, rule, { isValid }) => !Array.isArray(value) || value.every((item) => isValid(item, rule)),
  required: (value, rule) => !isMap(value) || (rule as string[]).every((name) => Object.hasOwn(value, name)),
  propertyNames: (value, rule, { isValid }) =>
    !isMap(value) || Object.keys(value).every((name) => isValid(name, rule)),
  properties: (value, rule, { isValid }) =>
    !isMap(value) ||
    Object.entries(rule as Schema).every(
      ([name, by]) => !Object.hasOwn(value, name) || isValid(value[name], by),
    ),
  additionalProperties: (value, rule, { schema, isValid }) =>
    !isMap(value) ||
    Object.entries(value).every(([name, inner]) => {
      if (Object.hasOwn((schema.properties ?? {}) as Schema, name)) return true
      return rule !== false && isValid(inner, rule)
    }),
}

const schema = graphJsonSchema()

it('the JSON Schema of documents has a version, a title and the descriptions of fields', () => {
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'orchestration-bench:graph-document:0.5',
    title: 'Graph document 0.5 of orchestration-bench',
  })
  expect(JSON.stringify(schema)).toContain('"description":"Its system prompt."')
  expect(JSON.stringify(schema)).toContain('"pattern":{"not":{}}')
})

it('the JSON Schema accepts every correct document', () => {
  fc.assert(
    fc.property(randomDocument, (document) => isValidJson(document, schema)),
    { numRuns: 30 },
  )
})

it('the JSON Schema refuses the documents that the reader’s own schema refuses, and no others', () => {
  const texts = Object.values(badDocuments).flat()
  const data = texts.flatMap(([name, text]) => {
    try {
      return [[name, parse(text, { merge: false }) as unknown] as const]
    } catch {
      return []
    }
  })
  const refused = data.filter(([, value]) => !isValidJson(value, schema)).map(([name]) => name)
  // Zod passes over __proto__; the reader finds it in the text.
  const own = data.flatMap(([name, value]) =>
    GraphDocument.safeParse(value).success && name !== 'the name __proto__' ? [] : [name],
  )
  expect(refused).toEqual(own)
  expect(refused.length).toBeGreaterThan(15)
})

it('the JSON Schema refuses a step with an unknown field and a pattern with fields of another', () => {
  const valid = (steps: string) => isValidJson(parse(documentOf(steps)), schema)
  expect(valid('- { id: a, task: make }')).toBe(true)
  expect(valid('- { id: a, task: make, tools: [] }')).toBe(false)
  expect(valid('- { id: a, pattern: debate, debaters: { x: make }, judge: judge }')).toBe(true)
  expect(valid('- { id: a, pattern: linear, debaters: { x: make }, judge: judge }')).toBe(false)
  expect(valid('- { id: a, pattern: debat, debaters: { x: make }, judge: judge }')).toBe(false)
})

it('the JSON Schema knows the fields of each kind of tool', () => {
  const valid = (tool: object) =>
    isValidJson({ ...(parse(documentOf('- { id: a, task: make }')) as object), tools: { t: tool } }, schema)
  expect(valid({ kind: 'memory' })).toBe(true)
  expect(valid({ kind: 'memory', config: { file: 'terms.md' } })).toBe(true)
  expect(valid({ kind: 'memory', config: { files: ['terms.md'] } })).toBe(false)
  expect(valid({ kind: 'workspace', config: { allow: ['read', 'check'] } })).toBe(true)
  expect(valid({ kind: 'workspace' })).toBe(false)
  const config = { command: ['node', 's.mjs'], allow: ['f'] }
  expect(valid({ kind: 'mcp', config })).toBe(true)
  expect(valid({ kind: 'mcp', config: { ...config, stateless: true, max_bytes: 9, env: { A: 'b' } } })).toBe(
    true,
  )
  expect(valid({ kind: 'mcp', config: { ...config, stateless: 'yes' } })).toBe(false)
  expect(valid({ kind: 'mcp', config: { ...config, timeout_ms: 0 } })).toBe(false)
})
