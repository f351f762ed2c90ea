import type { z } from 'zod'
import type { Problem } from '../../text/errors.ts'
import { UserError } from '../../text/errors.ts'
import { parseExactJson } from './exact-json.ts'
import { type JsonLine, readJsonLines, schemaProblems } from './read-json-lines.ts'
import { readText } from './read-lines.ts'
import { createListSplitter } from './split-json-list.ts'

/** An object of a list is one task; a longer one is no text for a model. */
const longestObject = 16 * 1024 * 1024

/**
 * Reads the objects of a JSON file by a schema, one by one: one on each line, or all in one list. Empty lines are skipped. `where` is
 * `PATH:LINE` of an object's begin. Throws `UserError` like `readLines`, and for text that is no list as a whole.
 */
export async function* readObjects<Data>(
  path: string,
  schema: z.ZodObject & z.ZodType<Data>,
): AsyncGenerator<JsonLine<Data>> {
  if (await isList(path)) yield* readJsonList(path, schema)
  else yield* readJsonLines(path, schema)
}

async function isList(path: string): Promise<boolean> {
  for await (const part of readText(path)) {
    const [first] = part.trimStart()
    if (first !== undefined) return first === '['
  }
  return false
}

async function* readJsonList<Data>(
  path: string,
  schema: z.ZodObject & z.ZodType<Data>,
): AsyncGenerator<JsonLine<Data>> {
  const list = createListSplitter()
  for await (const part of readText(path)) {
    for (const { text, line } of list.feed(part)) {
      const where = `${path}:${line}`
      yield { where, line, ...parseItem(text, where, schema) }
    }
    if (list.openLength() > longestObject) throw tooLong(path, list.problem()?.line ?? 1)
  }
  const problem = list.problem()
  if (problem) throw new UserError({ where: `${path}:${problem.line}`, what: problem.what, fix: oneList })
}

function parseItem<Data>(
  text: string,
  where: string,
  schema: z.ZodObject & z.ZodType<Data>,
): { data: Data } | { problems: Problem[] } {
  const read = parseExactJson(text)
  if ('what' in read) return { problems: [{ where, what: read.what, fix: oneList }] }
  const problems = schemaProblems(read.data, where, schema)
  return problems.length > 0 ? { problems } : { data: schema.parse(read.data) as Data }
}

const oneList = 'Give a file with one JSON list of objects.'

const tooLong = (path: string, line: number) =>
  new UserError({
    where: `${path}:${line}`,
    what: `has more than ${longestObject / 1024 / 1024} MiB`,
    fix: oneList,
  })
