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
  | {
      list: string
      index: number
      /** Reading it throws `UserError` for what is no JSON. The parts behind it can be read all the same. */
      readonly value: unknown
      /** The text that stands before the elements of the list, with all that is open closed. */
      before: string
    }
  | { list?: undefined; rest: Record<string, unknown> }

/**
 * Reads a JSON document of any size in parts: the elements of the arrays at `lists`, each a path of keys such as `results.results`, one at a
 * time, and then the rest. Throws `UserError` for a file that is not a JSON object, and for a part of more than 64 MiB.
 */
export async function* readParts(path: string, lists: readonly string[]): AsyncGenerator<DocumentPart> {
  const document = createSplitter(lists, path)
  for await (const text of readText(path, longestFile))
    for (const { list, index, before, text: element } of document.feed(text)) {
      if (element.trim() === '') continue
      yield {
        ...{ list, index, before },
        get value() {
          return parseJson(element, `${path}:${list}[${index}]`)
        },
      }
    }
  const rest = parseJson(document.rest(), path)
  if (!isObject(rest))
    throw new UserError({ where: path, what: 'is not a JSON object', fix: 'Name a file with results.' })
  yield { rest }
}

/** Returns a document with empty lists. Throws like `readParts`, but does not parse the elements. */
export async function readRest(path: string, lists: readonly string[]): Promise<Record<string, unknown>> {
  const document = createSplitter(lists, path)
  for await (const text of readText(path, longestFile)) document.feed(text)
  const rest = parseJson(document.rest(), path)
  if (isObject(rest)) return rest
  throw new UserError({ where: path, what: 'is not a JSON object', fix: 'Name a file with results.' })
}

/** Returns the text of a file of at most 64 MiB. Throws `UserError` for a longer one, and for what is no file or no text. */
export async function readWhole(path: string): Promise<string> {
  let text = ''
  for await (const part of readText(path, longestPart)) text += part
  return text
}

const stringOrNoNumber = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g

/** Parses JSON. Throws `UserError` for a text that is none, or that is cut off. */
export function parseJson(text: string, where: string): unknown {
  if (text.startsWith('\ufeff')) return parseJson(text.slice(1), where)
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

/** Returns the problem of a value that no program of usual depth can walk through. */
export const tooDeep = (where: string): UserError =>
  new UserError({
    where,
    what: 'holds a value that is nested thousands of levels deep, or a text that is too long',
    fix: 'Check the file: results are never nested that deep or that long.',
  })

/** The remedy for a file that is damaged. */
const copyAgain = 'Copy the file again from the harness that wrote it.'

interface Element {
  list: string
  index: number
  before: string
  text: string
}

/** An object or array that is open, and the key at which the reader is in it. */
interface Level {
  isObject: boolean
  key: string
  wantsKey: boolean
}

/** What matters of a text of JSON: outside of its strings, and in them. */
const signs = /["{}[\],]/g
const inStringSigns = /["\\]/g

/** Returns the place of the next sign from a place on; the length of the text if there is none. */
function nextOf(wanted: RegExp, text: string, from: number): number {
  wanted.lastIndex = from
  return wanted.exec(text)?.index ?? text.length
}

/** Splits the text of a document, which comes in parts, into the elements of its lists and the rest. It parses nothing but keys. */
function createSplitter(lists: readonly string[], path: string) {
  const levels: Level[] = []
  const rest = createPart(path)
  const element = createPart(path)
  let list: { name: string; depth: number; index: number; before: string } | undefined
  let [inString, isEscaped] = [false, false]
  let key: string | undefined

  function endString(): void {
    inString = false
    const level = levels.at(-1)
    if (key === undefined || !level) return
    // It ends with the quotation mark.
    Object.assign(level, { key: key.slice(0, -1), wantsKey: false })
    key = undefined
  }

  /** Returns whether the array that begins here is a list. */
  function open(isObject: boolean): boolean {
    const name = list || isObject ? undefined : levels.map((level) => level.key).join('.')
    levels.push({ isObject, key: '', wantsKey: isObject })
    if (name === undefined || !lists.includes(name)) return false
    list = { name, depth: levels.length, index: 0, before: '' }
    return true
  }

  /** Reads a string from a place on. Returns the place behind it, or behind a part of it. */
  function readString(text: string, from: number): number {
    const at = isEscaped ? from : nextOf(inStringSigns, text, from)
    if (key !== undefined) key += text.slice(from, at + 1)
    if (isEscaped) isEscaped = false
    else if (text[at] === '\\') isEscaped = true
    else if (text[at] === '"') endString()
    return at + 1
  }

  function feed(text: string): Element[] {
    const elements: Element[] = []
    let from = 0
    const take = (part: typeof rest, to: number) => {
      part.add(text.slice(from, to))
      from = to
    }
    for (let at = 0; at < text.length; ) {
      if (inString) {
        at = readString(text, at)
        continue
      }
      at = nextOf(signs, text, at)
      const sign = text[at]
      if (sign === '"') {
        inString = true
        if (!list && levels.at(-1)?.wantsKey) key = ''
      } else if (sign === '{' || sign === '[') {
        if (open(sign === '{')) {
          take(rest, at + 1)
          if (list) list.before = rest.peek() + closing(levels)
        }
      } else if (sign !== undefined) {
        const isEnd = sign !== ','
        if (list?.depth === levels.length) {
          take(element, at)
          const { name, before } = list
          elements.push({ list: name, index: list.index++, before, text: element.take() })
          if (isEnd) list = undefined
          else from = at + 1
        }
        if (isEnd) levels.pop()
        else if (!list && levels.at(-1)?.isObject) (levels.at(-1) as Level).wantsKey = true
      }
      at++
    }
    take(list ? element : rest, text.length)
    return elements
  }

  return { feed, rest: rest.take }
}

const closing = (levels: readonly Level[]) =>
  levels
    .map(({ isObject }) => (isObject ? '}' : ']'))
    .reverse()
    .join('')

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
          fix: 'Check the file: results are never that long.',
        })
      pieces.push(piece)
    },
    peek: () => pieces.join(''),
    /** Returns the text, and forgets it. */
    take(): string {
      const text = pieces.join('')
      pieces = []
      length = 0
      return text
    },
  }
}
