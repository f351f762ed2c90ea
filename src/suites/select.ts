import { UserError } from '../text/errors.ts'

/** A range of a suite's tasks. */
export interface Slice {
  /** The slice as the user wrote it. */
  text: string
  /** First and last index, counted from 0, inclusive. */
  from: number
  to: number
}

/** The parts of `NAME:PATH[?parameters][:SLICE]`. */
export interface NamedSource {
  name: string
  path: string
  parameters: Readonly<Record<string, string>>
  range?: Slice
}

/**
 * Parses `NAME:PATH[?parameter=value&…][:SLICE]`. The slice `20` selects the first 20 tasks, and `10-19` the tasks 10 to 19, counted
 * from 0, inclusive. In values `%3F` and its like stand for their characters. Throws `UserError` for a missing path, for a
 * parameter without a value, and for a slice that selects nothing.
 */
export function parseSource(text: string): NamedSource {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon === -1 ? undefined : colon)
  const rest = colon === -1 ? '' : text.slice(colon + 1)
  const match = /^(?<path>[^?]*?)(?:\?(?<query>.*?))?(?::(?<slice>\d+(?:-\d+)?))?$/s.exec(rest)
  const { path = '', query = '', slice } = match?.groups ?? {}
  if (name === '' || path === '') {
    throw new UserError({
      where: `--tasks ${text}`,
      what: 'a suite needs a format and a path',
      fix: 'Write NAME:PATH or NAME:PATH:SLICE, such as humaneval:HumanEval.jsonl:20.',
    })
  }
  const source = { name, path, parameters: parseParameters(query, text) }
  return slice === undefined ? source : { ...source, range: parseSlice(slice, text) }
}

/** Returns the text of a source, which `parseSource` reads. */
export function sourceText({ name, path, parameters, range }: NamedSource): string {
  const query = Object.entries(parameters).map(([key, value]) => `${key}=${escapeValue(value)}`)
  return `${name}:${path}${query.length === 0 ? '' : `?${query.join('&')}`}${range === undefined ? '' : `:${range.text}`}`
}

const escapeValue = (value: string) => value.replace(/[%&?:,]/g, encodeURIComponent)

function parseParameters(query: string, source: string): Record<string, string> {
  const pairs = query === '' ? [] : query.split('&')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = '', value = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
      if (key !== '') return [key, unescapeValue(value)]
      throw new UserError({
        where: `--tasks ${source}`,
        what: `"${pair}" is not a parameter with a value`,
        fix: 'Write them as ?question=q&answer=a.',
      })
    }),
  )
}

/** Returns a text with `%3F` and its like as their characters. */
export function unescapeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A single % stands for itself.
    return value
  }
}

function parseSlice(text: string, source: string): Slice {
  const [first, last] = text.split('-').map(Number)
  const range =
    last === undefined ? { from: 0, to: (first as number) - 1 } : { from: first as number, to: last }
  if (range.to >= range.from) return { text, ...range }
  throw new UserError({
    where: `--tasks ${source}`,
    what: `the slice ${text} selects nothing`,
    fix: 'Write 20 for the first 20 tasks, or 10-19 for tasks 10 to 19, counted from 0.',
  })
}
