import type { z } from 'zod'
import type { Problem } from '../../text/errors.ts'
import { readLines } from './read-lines.ts'

/** An object of a JSONL file, or the problems of its line. `where` is `PATH:LINE`. */
export type JsonLine<Data> = { where: string; line: number } & ({ data: Data } | { problems: Problem[] })

/** Reads a JSONL file by a schema, line by line; empty lines are skipped. Throws `UserError` like `readLines`. */
export async function* readJsonLines<Data>(
  path: string,
  schema: z.ZodObject & z.ZodType<Data>,
): AsyncGenerator<JsonLine<Data>> {
  for await (const { number: line, text } of readLines(path)) {
    if (text.trim() === '') continue
    const where = `${path}:${line}`
    yield { where, line, ...parseLine(text, where, schema) }
  }
}

function parseLine<Data>(
  text: string,
  where: string,
  schema: z.ZodObject & z.ZodType<Data>,
): { data: Data } | { problems: Problem[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const what = `is not JSON: ${(error as Error).message}`
    return { problems: [{ where, what, fix: 'Write one JSON object per line.' }] }
  }
  const problems = schemaProblems(json, where, schema)
  return problems.length > 0 ? { problems } : { data: schema.parse(json) as Data }
}

/** Returns what keeps a value from being of a schema, each problem with the field's name after `where`. */
export function schemaProblems(value: unknown, where: string, schema: z.ZodObject): Problem[] {
  const fix = `Each one is an object with ${Object.keys(schema.shape).join(', ')}.`
  return (schema.safeParse(value).error?.issues ?? []).map((issue) => {
    const field = issue.path.join('.')
    const isMissing = field !== '' && valueAt(value, issue.path) === undefined
    const expected = issue.code === 'invalid_type' ? issue.expected : undefined
    const fact = expected === undefined ? issue.message : `is not ${words[expected] ?? expected}`
    return { where: field ? `${where} ${field}` : where, what: isMissing ? 'is missing' : fact, fix }
  })
}

const words: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
