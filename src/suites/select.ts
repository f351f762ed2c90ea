import { UserError } from '../text/errors.ts'

/** A range of a suite's tasks. */
interface Slice {
  /** The slice as the user wrote it. */
  text: string
  /** First and last index, counted from 0, inclusive. */
  from: number
  to: number
}

/** The parts of `NAME:PATH[:SLICE]`. */
interface SuiteSource {
  name: string
  path: string
  range?: Slice
}

/**
 * Parses `NAME:PATH[:SLICE]`. The slice `20` selects the first 20 tasks, and `10-19` the tasks 10 to 19, counted from 0,
 * inclusive. Throws `UserError` for a missing path and for a slice that selects nothing.
 */
export function parseSource(text: string): SuiteSource {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon === -1 ? undefined : colon)
  const rest = colon === -1 ? '' : text.slice(colon + 1)
  const match = /^(?<path>.*?)(?::(?<slice>\d+(?:-\d+)?))?$/s.exec(rest)
  const path = match?.groups?.path ?? ''
  const slice = match?.groups?.slice
  if (name === '' || path === '') {
    throw new UserError({
      where: `--tasks ${text}`,
      what: 'a suite needs a format and a path',
      fix: 'Write NAME:PATH or NAME:PATH:SLICE, such as humaneval:HumanEval.jsonl:20.',
    })
  }
  return slice === undefined ? { name, path } : { name, path, range: parseSlice(slice, text) }
}

/** Returns the tasks of a slice, in the suite's order. */
export function slice<T>(items: readonly T[], { from, to }: Slice): T[] {
  return items.slice(from, to + 1)
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
