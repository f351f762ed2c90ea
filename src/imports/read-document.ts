import type { z } from 'zod'
import { readText } from '../suites/files/read-lines.ts'
import { UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { inWords } from '../text/issue-text.ts'

/** The longest text that is parsed at once, in characters. */
export const longestPart = 64 * 1024 * 1024
/** The longest file of results, in bytes of text. */
export const longestFile = 16 * 1024 ** 3

/** A part of a JSON document: an element of one of its lists, or, at the end, the document with these lists empty. */
type DocumentPart =
  | { list: string; index: number; value: unknown }
  | { list?: undefined; rest: Record<string, unknown> }

/**
 * Reads a JSON document of any size in parts: the elements of the arrays at `lists`, each a path of keys such as `results.results`, one at a
 * time, and then the rest. Throws `UserError` for a file that is no JSON object, and for a part of more than 64 MiB.
 */
export async function* readParts(path: string, lists: readonly string[]): AsyncGenerator<DocumentPart> {
  const document = createSplitter(lists, path)
  for await (const text of readText(path, longestFile))
    for (const { list, index, text: element } of document.feed(text)) {
      if (element.trim() === '') continue
      yield { list, index, value: parseJson(element, `${path}:${list}[${index}]`) }
    }
  const rest = parseJson(document.rest(), path)
  if (!isObject(rest))
    throw new UserError({ where: path, what: 'is no JSON object', fix: 'Name a file with results.' })
  yield { rest }
}

/** Returns a document with empty lists. Throws like `readParts`, but does not parse the elements. */
export async function readRest(path: string, lists: readonly string[]): Promise<Record<string, unknown>> {
  const document = createSplitter(lists, path)
  for await (const text of readText(path, longestFile)) document.feed(text)
  const rest = parseJson(document.rest(), path)
  if (isObject(rest)) return rest
  throw new UserError({ where: path, what: 'is no JSON object', fix: 'Name a file with results.' })
}

const stringOrNoNumber = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g

/** Parses JSON. Throws `UserError` for a text that is none, or that is cut off. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Python writes numbers that JSON does not have. They stand for no value.
    const plain = text.replace(stringOrNoNumber, (_, string?: string) => string ?? 'null')
    if (plain !== text) return parseJson(plain, where)
    const { message } = error as Error
    const [, place] = /position (\d+)/.exec(message) ?? []
    const isCut = /end of JSON input|Unterminated/.test(message) || Number(place) >= text.trimEnd().length
    throw new UserError({
      where,
      what: isCut ? 'is cut off: its JSON does not end' : `is not JSON: ${message.slice(0, 200)}`,
      fix: copyAgain,
    })
  }
}

/** Returns a value of a shape. Throws `UserError` with every field that is missing or wrong. */
export function shaped<Shape extends z.ZodObject>(
  schema: Shape,
  value: unknown,
  where: string,
): z.infer<Shape> {
  const { data, error } = schema.safeParse(value, inWords)
  if (data) return data
  throw new UserError(
    (error as z.ZodError).issues.map(({ path, message }) => ({
      where: path.length > 0 ? `${where} ${path.join('.')}` : where,
      what: message,
      fix: 'Name a file as its harness wrote it; --skip-invalid leaves such results out and counts them.',
    })),
  )
}

/** The remedy for a file that is damaged. */
const copyAgain = 'Copy the file again from the harness that wrote it.'

interface Element {
  list: string
  index: number
  text: string
}

/** An object or array that is open, and the key at which the reader is in it. */
interface Level {
  isObject: boolean
  key: string
  wantsKey: boolean
}

/** Splits the text of a document, which comes in parts, into the elements of its lists and the rest. It parses nothing but keys. */
function createSplitter(lists: readonly string[], path: string) {
  const levels: Level[] = []
  const rest = createPart(path)
  const element = createPart(path)
  let list: { name: string; depth: number; index: number } | undefined
  let [inString, isEscaped] = [false, false]
  let key: string | undefined

  function endString(): void {
    inString = false
    const level = levels.at(-1)
    if (key === undefined || !level) return
    Object.assign(level, { key, wantsKey: false })
    key = undefined
  }

  /** Returns whether the array that begins here is a list. */
  function open(isObject: boolean): boolean {
    const name = list || isObject ? undefined : levels.map((level) => level.key).join('.')
    levels.push({ isObject, key: '', wantsKey: isObject })
    if (name === undefined || !lists.includes(name)) return false
    list = { name, depth: levels.length, index: 0 }
    return true
  }

  function feed(text: string): Element[] {
    const elements: Element[] = []
    let from = 0
    const take = (to: number) => {
      const part = list ? element : rest
      part.add(text.slice(from, to))
      from = to
    }
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] as string
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (sign === '\\') isEscaped = true
        else if (sign === '"') endString()
        if (inString && key !== undefined) key += sign
      } else if (sign === '"') {
        inString = true
        if (!list && levels.at(-1)?.wantsKey) key = ''
      } else if (sign === '{' || sign === '[') {
        const before = from
        if (!open(sign === '{')) continue
        rest.add(text.slice(before, at + 1))
        from = at + 1
      } else if (sign === ',' || sign === '}' || sign === ']') {
        const isEnd = sign !== ','
        if (list?.depth === levels.length) {
          take(at)
          elements.push({ list: list.name, index: list.index++, text: element.take() })
          if (isEnd) list = undefined
          else from = at + 1
        }
        if (isEnd) levels.pop()
        else if (!list && levels.at(-1)?.isObject) (levels.at(-1) as Level).wantsKey = true
      }
    }
    take(text.length)
    return elements
  }

  return { feed, rest: rest.take }
}

/** Text that is put together from pieces, of bounded length. */
function createPart(path: string) {
  let pieces: string[] = []
  let length = 0
  return {
    add(piece: string): void {
      length += piece.length
      if (length > longestPart)
        throw new UserError({
          where: path,
          what: `has a part of more than ${longestPart / 1024 / 1024} MiB: one result, or all that is no result`,
          fix: 'Check the file: no result is as long as that.',
        })
      pieces.push(piece)
    },
    /** Returns the text, and forgets it. */
    take(): string {
      const text = pieces.join('')
      pieces = []
      length = 0
      return text
    },
  }
}
