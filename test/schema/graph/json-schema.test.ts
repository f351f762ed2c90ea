import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { GraphDocument, graphJsonSchema } from '../../../src/schema/graph/document.ts'
import { badDocuments } from '../../helpers/graph/bad-documents.ts'
import { documentOf } from '../../helpers/graph/documents.ts'
import { randomDocument } from '../../helpers/graph/random-documents.ts'
import { isValidJson } from '../../helpers/graph/validate-json.ts'

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
