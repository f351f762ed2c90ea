import { canBeInfo, type FenceLine } from './scan-fences.ts'
import { readHeading } from './scan-headings.ts'
import type { Lines } from './scan-regions.ts'

/** The lines of a reply that is being scanned, with their fences. */
export interface Rows {
  rows: Lines
  fences: (FenceLine | undefined)[]
  /** For each line, the next one at or behind it that has a fence, that is no part of a quote, and on which thoughts may begin. */
  nextFence: Int32Array
  nextPlain: Int32Array
  nextThought: Int32Array
  /** The fences around other blocks that are open. */
  wrapped: readonly unknown[]
}

/** Where a block ends. */
export interface BlockEnd {
  /** The line behind the content. */
  end: number
  /** The line behind the block. */
  next: number
  isClosed: boolean
  /** A last line of content that the closing fence stands behind. */
  last?: string
  /** Whether it is a file whose fences do not come in pairs, so that its end is in doubt. */
  isUnclear?: boolean
}

/** Ends a block at the fence of a line. */
export const closedAt = (line: number): BlockEnd => ({ end: line, next: line + 1, isClosed: true })

/** Returns the line of a `FILE:` heading that stands directly before a line; undefined if there is none. */
export function headingBefore(rows: Lines, open: number, at: number): number | undefined {
  let before = at - 1
  while (before > open && rows.text(before).trim() === '') before--
  return before > open && readHeading(rows.text(before))?.verb === 'FILE' ? before : undefined
}

/** A fence within a file's block, or behind it up to the next file. */
interface InnerFence extends FenceLine {
  at: number
  opens: boolean
  closes: boolean
}

/**
 * Ends a file whose blocks come in pairs at the last fence before the next file, or before thoughts, that leaves only pairs before it
 * and behind it; unclear if none does, though one stands where it could. Undefined if none could.
 */
export function endByPairs(scan: Rows, open: number, limit: number, fence: FenceLine): BlockEnd | undefined {
  const thought = scan.nextThought[open + 1] as number
  const before = thought < limit ? endBefore(scan, open, thought, fence) : undefined
  return before?.isClosed ? before : endBefore(scan, open, limit, fence)
}

function endBefore(scan: Rows, open: number, limit: number, fence: FenceLine): BlockEnd | undefined {
  const { rows, fences, nextFence, wrapped } = scan
  const inner: InnerFence[] = []
  let at = nextFence[open + 1] as number
  for (; at < limit; at = nextFence[at + 1] as number) {
    const found = fences[at] as FenceLine
    if (found.quotes !== fence.quotes || found.indent >= fence.indent + 4) continue
    if (found.sign === fence.sign && found.length < fence.length) continue
    if (headingBefore(rows, open, at) !== undefined) break
    const isBare = !canBeInfo(found.info)
    const [above, below] = [at - 1, at + 1].map((line) => rows.text(line).trim())
    inner.push({
      ...found,
      at,
      opens: !isBare || above === '' || below !== '',
      closes: isBare && found.marker === '',
    })
  }
  // The last fences of a reply may close those around its files.
  if (at >= limit) for (let i = 0; i < wrapped.length && inner.at(-1)?.info === ''; i++) inner.pop()
  const { last, isDoubtful } = lastClosing(inner, fence)
  if (last !== undefined) return closedAt(last)
  const end = headingBefore(rows, open, at) ?? limit
  return isDoubtful ? { end, next: end, isClosed: false, isUnclear: true } : undefined
}

/** Finds the last fence that may close a block, and whether any fence could if it stood alone. Takes linear time. */
function lastClosing(
  inner: readonly InnerFence[],
  outer: FenceLine,
): { last: number | undefined; isDoubtful: boolean } {
  /** For each fence, the one that closes its block, and whether all from it on come in pairs; the last block may be left open. */
  const closing: (number | undefined)[] = []
  const pairsUp: boolean[] = []
  pairsUp[inner.length] = true
  const closeOf = (i: number) => closing[i] ?? (inner[i]?.sign === outer.sign ? undefined : i)
  for (let i = inner.length - 1; i >= 0; i--) {
    const fence = inner[i] as InnerFence
    const fits = ({ sign, length }: FenceLine) => sign === fence.sign && length >= fence.length
    let at = i + 1
    // What is shorter, or of another sign, is content of the inner block.
    for (let next = inner[at]; next && !(next.closes && fits(next)); next = inner[at]) {
      const isNested = fits(next)
      const behind = isNested ? (isBare(fence) ? undefined : closing[at]) : at
      at = behind === undefined ? inner.length : behind + 1
    }
    if (at < inner.length && fence.opens) closing[i] = at
    const close = closeOf(i)
    pairsUp[i] = close === undefined ? !isBare(fence) : pairsUp[close + 1] === true
  }
  let last: number | undefined
  let isDoubtful = false
  for (let i: number | undefined = 0; i !== undefined && i < inner.length; ) {
    const fence = inner[i] as InnerFence
    if (fence.sign === outer.sign && fence.closes) {
      isDoubtful = true
      if (pairsUp[i + 1]) last = fence.at
    }
    const close = closeOf(i)
    i = close === undefined ? undefined : close + 1
  }
  return { last, isDoubtful }
}

const isBare = ({ info }: FenceLine) => !canBeInfo(info)

/** Returns the first line from one on that is not blank. */
export function skipBlank(rows: Lines, from: number): number {
  let at = from
  while (at < rows.count() && rows.text(at).trim() === '') at++
  return at
}
