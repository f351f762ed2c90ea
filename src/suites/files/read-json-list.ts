import type { z } from 'zod'
import { type Problem, UserError } from '../../text/errors.ts'
import { type JsonLine, parseExactJson, readJsonLines, schemaProblems } from './read-json-lines.ts'
import { readText } from './read-lines.ts'

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

interface ListItem {
  text: string
  line: number
}

/**
 * Returns a splitter of the text of one JSON list, which comes in parts, into the texts of its items, which may be no JSON themselves.
 * `feed` returns the items that end in a part. Its time is proportional to the text.
 */
export function createListSplitter() {
  let depth = 0
  let line = 1
  let begin = 1
  let text = ''
  let [inString, isEscaped, isOpen, hasEnded] = [false, false, false, false]
  let strayLine: number | undefined

  function feed(part: string): ListItem[] {
    const items: ListItem[] = []
    let from = 0
    const finish = (at: number) => {
      if (isOpen) items.push({ text: text + part.slice(from, at), line: begin })
      isOpen = false
      text = ''
    }
    for (let at = 0; at < part.length; at++) {
      const char = part[at] as string
      if (char === '\n') line++
      if (inString) {
        inString = isEscaped || char !== '"'
        isEscaped = !isEscaped && char === '\\'
      } else if (depth === 0) {
        if (char === '[' && !hasEnded) depth = 1
        else if (char.trim() !== '') strayLine ??= line
      } else if (depth === 1 && (char === ',' || char === ']')) {
        finish(at)
        if (char === ']') [depth, hasEnded] = [0, true]
      } else {
        if (!isOpen && char.trim() !== '') [isOpen, begin, from] = [true, line, at]
        if (char === '"') inString = true
        if (char === '[' || char === '{') depth++
        if (char === ']' || char === '}') depth--
      }
    }
    if (isOpen) text += part.slice(from)
    return items
  }

  function problem() {
    if (strayLine !== undefined) return { line: strayLine, what: 'has text outside of its list' }
    if (!hasEnded) return { line: isOpen ? begin : line, what: 'opens a value that is never closed' }
    return undefined
  }

  return { feed, problem, openLength: () => text.length }
}
