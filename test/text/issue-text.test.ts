import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inWords } from '../../src/text/issue-text.ts'
import { strategies } from '../../strategies/index.ts'
import { tableOf } from '../helpers/house/tables.ts'

const root = join(import.meta.dirname, '../..')
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, folder, path))

/** How the schema library speaks. */
const jargon =
  /\binvalid (?:input|option|key|value|element|date|discriminator|[a-z]+:)|\b(?:too (?:small|big)|expected|received|unrecognized|no matching|string|record|NaN)\b/i

const wrong: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1.5, 2 ** 60, Number.NaN, Infinity, '', ' ', 'x', 'x'.repeat(70_000)],
  ...[[], [1], ['a', 'a', 'a'], [null], {}, { a: 1 }, { '': { '': [] } }, new Date(Number.NaN), () => 1, 10n],
]

const messagesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) => [
    issue.message,
    ...(issue.code === 'invalid_union' ? issue.errors.flatMap(messagesOf) : []),
    ...(issue.code === 'invalid_key' || issue.code === 'invalid_element' ? messagesOf(issue.issues) : []),
  ])

/** Returns the schemas inside of a schema. */
function parts(schema: z.ZodType): unknown[] {
  if (schema instanceof z.ZodObject) return [...Object.values(schema.shape), schema.def.catchall]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.keyType, schema.valueType]
  if (schema instanceof z.ZodTuple) return [...schema.def.items]
  if (schema instanceof z.ZodUnion) return [...schema.options]
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right]
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out]
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? [schema.unwrap()] : []
}

function walk(given: unknown, seen: Set<z.ZodType>): void {
  if (!(given instanceof z.ZodType) || seen.has(given)) return
  seen.add(given)
  for (const part of parts(given)) walk(part, seen)
}

const said = (schema: z.ZodType, value: unknown): string[] => {
  try {
    return messagesOf(schema.safeParse(value, { ...inWords, jitless: true }).error?.issues ?? [])
  } catch {
    // A refinement of a user of the schema that reads fields of what it knows to be an object.
    return []
  }
}

it('no schema of the house speaks to people as the schema library does', async () => {
  const seen = new Set<z.ZodType>()
  for (const path of filesIn('src/schema'))
    for (const one of Object.values((await import(path)) as object)) walk(one, seen)
  for (const { options } of strategies) walk(options, seen)
  expect(seen.size).toBeGreaterThan(400)
  const found = new Set<string>()
  for (const schema of seen)
    for (const value of wrong) for (const text of said(schema, value)) if (jargon.test(text)) found.add(text)
  expect([...found]).toEqual([])
})

describe('a mistake is told in plain words', () => {
  const shapes: Readonly<Record<string, z.ZodType>> = {
    count: z.int().positive(),
    share: z.number().gt(0).lt(1),
    even: z.number().multipleOf(2),
    name: z.string().min(2).max(4),
    text: z.string().min(1),
    word: z.enum(['a', 'b']),
    list: z.array(z.string()).min(2).max(3),
    day: z.iso.date(),
    form: z.string().regex(/^v\d$/),
    map: z.record(z.string().regex(/^\w+$/, 'is no word'), z.number()),
    either: z.union([z.string(), z.number()]),
    forms: z.union([z.string(), z.strictObject({ a: z.number() })]),
    words: z.union([z.string(), z.array(z.string()).min(1)]),
    named: z.union([z.string(), z.array(z.strictObject({ name: z.string() }))]),
    kinds: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x') }),
      z.object({ kind: z.literal('y') }),
    ]),
    object: z.strictObject({ a: z.number() }),
    own: z.string('is no name of mine'),
  }

  it.each(tableOf<[string, unknown, string[]][]>(import.meta.url, 'told'))('%s: %j', (name, value, texts) => {
    const { error } = (shapes[name] as z.ZodType).safeParse(value, inWords)
    expect(error?.issues.map(({ path, message }) => [...path, message].join(' '))).toEqual(texts)
  })

  it('what is missing is told as such', () => {
    const { error } = z
      .object({ a: z.string(), b: z.enum(['x']), c: z.union([z.string(), z.null()]) })
      .safeParse({}, inWords)
    expect(error?.issues.map(({ message }) => message)).toEqual(['is missing', 'is missing', 'is missing'])
  })
})

/** What is told to models and journaled, so that a replay finds the same. */
const toldToModels = ['src/replies/data/fitting-value.ts', 'src/memory/memory.ts']

it('whoever reads what a schema refused reads it in these words', () => {
  const silent = [...filesIn('src'), ...filesIn('strategies')]
    .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }))
    .filter(
      ({ path, text }) =>
        !toldToModels.includes(path) &&
        /\bissues?\b[^\n]*\bmessage\b|error\??\.issues|schemaProblems\(error/.test(text),
    )
    .filter(({ text }) => (text.match(/\bsafeParse\(/g) ?? []).length > 0 && !/\binWords\b/.test(text))
  expect(silent.map(({ path }) => path)).toEqual([])
})
