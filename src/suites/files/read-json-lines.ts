import { compareNumber, parse } from 'lossless-json'
import type { z } from 'zod'
import type { Problem } from '../../text/errors.ts'
import { isObject } from '../../text/is-object.ts'
import { inWords } from '../../text/issue-text.ts'
import { shorten } from '../../text/shorten.ts'
import { readLines } from './read-lines.ts'

/** What a line of a JSONL file is, or its problems. `where` is `PATH:LINE`. */
export type JsonLine<Data> = { where: string; line: number } & ({ data: Data } | { problems: Problem[] })

/** Reads a JSONL file by a schema, line by line; empty lines are skipped. Throws `UserError` like `readLines`. */
export async function* readJsonLines<Data>(
  path: string,
  schema: z.ZodObject & z.ZodType<Data>,
): AsyncGenerator<JsonLine<Data>> {
  for await (const item of readJsonObjects(path, fieldsFix(schema))) {
    if ('problems' in item) {
      yield item
      continue
    }
    const { where, line } = item
    const { data, error } = schema.safeParse(item.data, inWords)
    yield error
      ? { where, line, problems: problemsOf(error, item.data, where, schema) }
      : { where, line, data }
  }
}

/** Reads the objects of a JSONL file like `readJsonLines`, with any fields. */
export async function* readJsonObjects(
  path: string,
  objectFix = lineFix,
): AsyncGenerator<JsonLine<Record<string, unknown>>> {
  for await (const { number: line, text } of readLines(path)) {
    if (text.trim() === '') continue
    const where = `${path}:${line}`
    yield { where, line, ...parseLine(text, where, objectFix) }
  }
}

const lineFix = 'Write one JSON object per line.'
const fieldsFix = (schema: z.ZodObject) =>
  `Each one is an object with ${Object.keys(schema.shape).join(', ')}.`

function parseLine(
  text: string,
  where: string,
  objectFix: string,
): { data: Record<string, unknown> } | { problems: Problem[] } {
  const read = parseExactJson(text)
  if ('what' in read) return { problems: [{ where, what: read.what, fix: lineFix }] }
  const { data } = read
  return isObject(data) && !(data instanceof Doubt)
    ? { data }
    : { problems: [{ where, what: 'is not an object', fix: objectFix }] }
}

/** Returns what keeps a value from being of a schema, each problem with the field's name after `where`. */
export function schemaProblems(value: unknown, where: string, schema: z.ZodObject): Problem[] {
  const { error } = schema.safeParse(value, inWords)
  return error ? problemsOf(error, value, where, schema) : []
}

function problemsOf(error: z.ZodError, value: unknown, where: string, schema: z.ZodObject): Problem[] {
  const fix = fieldsFix(schema)
  return error.issues.map((issue) => {
    const field = issue.path.join('.')
    const found = valueAt(value, issue.path)
    const place = field ? `${where} ${field}` : where
    if (found instanceof Doubt) return { where: place, what: found.what, fix: found.fix }
    const isMissing = field !== '' && found === undefined
    return { where: place, what: isMissing ? 'is missing' : issue.message, fix }
  })
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)

/**
 * Stands in place of a value that would silently become another one: a number with more digits than a number of JavaScript keeps, or a
 * field that its object has twice. Whoever uses the value reports it; in a field that nobody uses it does no harm.
 */
export class Doubt {
  readonly what: string
  readonly fix: string

  constructor({ what, fix }: { what: string; fix: string }) {
    this.what = what
    this.fix = fix
  }
}

/** Parses JSON; in place of values that would silently change stands a `Doubt`. Gives what is wrong with a text that is no JSON. */
export function parseExactJson(text: string): { data: unknown } | Pick<Problem, 'what'> {
  try {
    return { data: parse(text, undefined, { parseNumber: numberOrDoubt, onDuplicateKey: () => twice }) }
  } catch (error) {
    if (error instanceof RangeError) return { what: 'is nested too deeply' }
    return { what: `is not JSON: ${(error as Error).message}` }
  }
}

const twice = new Doubt({ what: 'is there twice, with different values', fix: 'Keep one of them.' })

function numberOrDoubt(text: string): number | Doubt {
  if (keepsDigits(text)) return Number(text)
  const shown = shorten(text, 40)
  return new Doubt({
    what: `would be read as ${Number(text)}, not as ${shown}`,
    fix: `Write it as a text, in quotes: "${shown}".`,
  })
}

/** Whether JavaScript reads a number, written as in JSON, without changing its value in decimals. */
export function keepsDigits(text: string): boolean {
  const read = Number(text)
  return Number.isFinite(read) && compareNumber(text, String(read)) === 0
}
