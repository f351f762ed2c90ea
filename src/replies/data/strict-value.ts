import { scanValue } from './scan-value.ts'

/** A value of strict JSON in a text. */
export interface StrictValue {
  value: unknown
  start: number
  end: number
  /** A key that an object in it has twice. */
  repeatedKey: string | undefined
}

/** What a string may hold that JSON does not: an escape that it does not know, or a raw control character such as a line end. */
const stringPart = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|\p{Cc}/gu

/**
 * Reads the value that begins with the bracket at `start`, as strict JSON. Forgiven are a comma before a closing bracket, and in a string
 * raw line ends and needless backslashes: no text can change from a string to structure by them. Undefined where no such value stands.
 */
export function readStrictValue(text: string, start: number): StrictValue | undefined {
  const parts: string[] = []
  let at = start
  const { outcome, end } = scanValue(text, start, ({ kind, ...token }) => {
    const written = text.slice(token.start, token.end)
    const isOfJson = kind !== 'word' && !/^['TFN]/.test(written)
    const isBehindComment = text.slice(at, token.start).trim() !== ''
    if (!isOfJson || isBehindComment) return false
    at = token.end
    if ((kind === '}' || kind === ']') && parts.at(-1) === ',') parts.pop()
    parts.push(kind === 'string' ? written.replace(stringPart, strictPart) : written)
    return true
  })
  if (outcome !== 'value') return undefined
  const json = parts.join('')
  const parsed = parseStrictly(json)
  return parsed && { ...parsed, start, end, repeatedKey: findRepeatedKey(json) }
}

const strictPart = (part: string) =>
  part.length > 1 ? part : part === '\\' ? '' : JSON.stringify(part).slice(1, -1)

/** Parses strict JSON. */
export function parseStrictly(json: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}

/** Returns a key that an object of a strict JSON value has twice: then it is unclear which of the two is meant. */
export function findRepeatedKey(json: string): string | undefined {
  const open: Set<string>[] = []
  let repeated: string | undefined
  const start = json.search(/\S/)
  scanValue(json, start, ({ kind, ...token }, isKey) => {
    if (kind === '{' || kind === '[') open.push(new Set())
    if (kind === '}' || kind === ']') open.pop()
    if (!isKey) return true
    const key = JSON.parse(json.slice(token.start, token.end)) as string
    const keys = open.at(-1)
    if (keys?.has(key)) repeated = key
    keys?.add(key)
    return repeated === undefined
  })
  return repeated
}
