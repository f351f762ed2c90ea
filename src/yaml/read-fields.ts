import type { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { inWords } from '../text/issue-text.ts'
import { type ParsedYaml, parseYaml } from './parse-yaml.ts'
import { type FieldProblem, schemaProblems } from './schema-problems.ts'

/** What a check says of a text. */
interface CheckedFields<Data> {
  /** Undefined if the schema refuses the text. */
  data?: Data | undefined
  found: FieldProblem[]
}

/** A document without mistakes, with the place of each field for later problems. */
export interface ReadFields<Data> {
  data: Data
  /** Returns `file:line:column field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/** Most bytes of a document. */
const maxBytes = 1_000_000

/** Most problems that are told one by one. */
const maxProblems = 100

/**
 * Reads a document in YAML or JSON with a check of its fields. Returns undefined if it has mistakes, and adds all of them in the
 * order of the text, those of the text itself too.
 */
export function readFields<Data>(
  text: string,
  file: string,
  problems: Problem[],
  check: (parsed: ParsedYaml) => CheckedFields<Data>,
): ReadFields<Data> | undefined {
  const size = Buffer.byteLength(text)
  if (size > maxBytes) {
    problems.push({ where: file, what: `has ${size} bytes; the limit is ${maxBytes}`, fix: 'Divide it.' })
    return undefined
  }
  const withoutComments = removeJsonComments(text)
  const parsed = parseYaml(withoutComments?.text ?? text)
  if (withoutComments)
    parsed.faults.push({
      at: withoutComments.at,
      what: 'has comments as in JavaScript, which neither JSON nor YAML allows',
      fix: 'Begin each with #, or remove them.',
    })
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${parsed.placeOf(parsed.offsetOf(path), true)}${field ? ` ${field}` : ''}`
  }
  const { data, found } = check(parsed)
  if (data !== undefined && parsed.faults.length + found.length === 0) return { data, where }
  const all = [
    ...parsed.faults.map(({ at, ...fault }) => ({
      at,
      problem: { where: `${file}:${parsed.placeOf(at, true)}`, ...fault },
    })),
    ...found.map(({ path, ...problem }) => ({
      at: parsed.offsetOf(path),
      problem: { where: where(...path), ...problem },
    })),
  ].sort((a, b) => a.at - b.at)
  // A text that is refused without a word would look like one without mistakes.
  if (all.length === 0) throw new Error(`[${file}] is refused, and no check says why.`)
  problems.push(...all.slice(0, maxProblems).map(({ problem }) => problem))
  const more = all.length - maxProblems
  if (more > 0)
    problems.push({ where: file, what: `has ${more} more ${more === 1 ? 'mistake' : 'mistakes'}` })
  return undefined
}

/** Returns the problem of a text that is no map of fields at all; undefined if it is one. */
export function notAMap(data: unknown, fix: string): FieldProblem | undefined {
  if (data === undefined || data === null) return { path: [], what: 'is empty', fix }
  if (typeof data === 'object' && !Array.isArray(data)) return undefined
  return {
    path: [],
    what: `must be a map of fields, and is ${Array.isArray(data) ? 'a list' : 'a single value'}`,
    fix,
  }
}

/** JSON in which comments are replaced by spaces, so that each field keeps its place. */
interface WithoutComments {
  text: string
  /** The offset of the first comment. */
  at: number
}

/** Strings are matched first, since `//` in one is text. */
const stringOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * Returns JSON without its comments, `//` and `/*`, which are not allowed. Returns undefined for any other text. YAML would take a
 * comment for part of a name or of a value.
 */
function removeJsonComments(text: string): WithoutComments | undefined {
  if (!/^\s*(?:\{|\/\/|\/\*)/.test(text)) return undefined
  let at: number | undefined
  const blank = text.replace(stringOrComment, (found, offset: number) => {
    if (found.startsWith('"')) return found
    at ??= offset
    return found.replace(/[^\r\n]/g, ' ')
  })
  // In YAML, `//` may stand in a value without quotes; then the rest is no JSON.
  return at !== undefined && isJson(blank) ? { text: blank, at } : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/,(?=\s*[}\]])/g, ' '))
    return true
  } catch {
    return false
  }
}

/** A validated YAML file, with the position of each field for later problems. */
export interface YamlFile<Data> {
  data: Data
  /** Returns `file:line field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/**
 * Reads YAML text and validates it by a schema. If it has problems, adds all of them, with file, line, field and suggestions for
 * unknown names, and returns undefined. `examples` has a remedy by field. The values of `secretFields` are never quoted, since they
 * may be keys.
 */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  problems: Problem[],
  examples: Readonly<Record<string, string>> = {},
  secretFields: readonly string[] = [],
): YamlFile<z.infer<Schema>> | undefined {
  const { faults, data: parsed, offsetOf, placeOf } = parseYaml(text)
  if (faults.length > 0) {
    problems.push(...faults.map(({ at, ...fault }) => ({ where: `${file}:${placeOf(at)}`, ...fault })))
    return undefined
  }
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${placeOf(offsetOf(path))}${field ? ` ${field}` : ''}`
  }
  // An empty file is read as an empty map.
  const value = parsed ?? {}
  const { data, error } = schema.safeParse(value, { ...inWords, jitless: true })
  if (!error) return { data, where }
  const found = schemaProblems(error.issues, { schema, value, examples, secretFields })
  const lineOf = ({ path }: FieldProblem) => Number(placeOf(offsetOf(path)))
  const inOrder = found.sort((a, b) => lineOf(a) - lineOf(b))
  problems.push(...inOrder.map(({ path, ...problem }) => ({ where: where(...path), ...problem })))
  return undefined
}
