import type { FenceLine } from './fence-line.ts'
import { headingBefore } from './heading-before.ts'
import { type LongStrings, quotesOpenBehind } from './long-strings.ts'

interface Lines {
  lines: readonly string[]
  fences: readonly (FenceLine | undefined)[]
  nextFence: Int32Array
}

/**
 * Whether a fence and the next one are an example within a docstring, which ends behind them. CommonMark would close the block, but
 * the code would be cut in two.
 */
export function isInDocstring(
  { lines, nextFence, fences }: Lines,
  at: number,
  fence: FenceLine,
  strings: LongStrings,
): boolean {
  const close = nextFence[at + 1] as number
  const found = fences[close]
  if (found?.info !== '' || found.sign !== fence.sign || !strings.isOpenBefore(at)) return false
  // A `FILE:` line behind the fence begins the next file.
  if (headingBefore(lines, at, close) !== undefined) return false
  const after = Math.min(nextFence[close + 1] as number, lines.length)
  for (let i = close + 1; i < after; i++) if (/"""|'''/.test(lines[i] ?? '')) return true
  return false
}

/**
 * Returns what finds the line behind the long string around a fence of Python code. It finds none if the fence is no part of a
 * string: it is one only if the string ends, each file block that begins in it ends in it, and the next fence closes the code with
 * no string open.
 */
export function followStringFences(
  scan: Lines,
  open: number,
  fence: FenceLine,
  strings: LongStrings,
): (at: number) => number | undefined {
  // The answer is kept for each string, since one string may hold many fences.
  let asked: { end: number; behind: number | undefined } | undefined
  return (at) => {
    const end = strings.endBehind(at)
    if (end === undefined) return undefined
    if (asked?.end !== end.line) {
      const isPart = closesBehind(scan, end, fence) && closesItsFiles(scan, { open, fence }, at, end.line)
      asked = { end: end.line, behind: isPart ? end.line + 1 : undefined }
    }
    return asked.behind
  }
}

/** Whether the next fence behind a string closes the code, with no string open before it. */
function closesBehind(
  { lines, nextFence, fences }: Lines,
  { line, quotes }: { line: number; quotes: string },
  fence: FenceLine,
): boolean {
  const close = nextFence[line + 1] as number
  const found = fences[close]
  if (found?.info !== '' || found.sign !== fence.sign || found.length < fence.length) return false
  if (headingBefore(lines, line, close) !== undefined) return false
  let open: string | undefined = quotes
  for (let i = line; i < close; i++) open = quotesOpenBehind(lines[i] ?? '', open)
  return open === undefined
}

/** Whether each `FILE:` line with a fence that could close the code, from one fence to a line, has a second one behind it. */
function closesItsFiles(
  { lines, nextFence, fences }: Lines,
  { open, fence }: { open: number; fence: FenceLine },
  from: number,
  to: number,
): boolean {
  let isOpen = false
  let before = open
  for (let at = from; at < to; at = nextFence[at + 1] as number) {
    const found = fences[at]
    if (found?.sign === fence.sign && found.length >= fence.length)
      isOpen = !isOpen && headingBefore(lines, before, at) !== undefined
    before = at
  }
  return !isOpen
}
