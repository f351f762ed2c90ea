import { type FenceLine, readFenceLine } from './scan-fences.ts'
import type { Rows } from './scan-pairs.ts'
import type { Line, Region } from './scan-regions.ts'
import type { ThoughtMark } from './scan-thoughts.ts'

/** A text whose blocks are being found. */
export interface BlockScan extends Rows {
  marks: readonly ThoughtMark[]
  /** The next mark. */
  next: number
  regions: Region[]
  /** Lines behind the last region that are not divided yet. */
  pending: Line[]
  /** The fences around other blocks that are open, each with its line and its place among the regions. */
  wrapped: { fence: FenceLine; at: number; index: number }[]
  /** For each line, how many fences stand at or behind it; for each fence, 1 if those from it on come in pairs. */
  fencesFrom: Int32Array
  pairsUp: Uint8Array
}

/** Reads the lines of a text. A mark that touches a fence has a line of its own, so that the fence has one, too. */
export function readRows(text: string, marks: readonly ThoughtMark[]): BlockScan {
  const rows: Line[] = []
  const thoughtful = new Set<number>()
  let start = 0
  let next = 0
  for (const [number, line] of text.split('\n').entries()) {
    const end = start + line.length
    let from = start
    for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
      for (const cut of mark.touchesFence ? [mark.start, mark.end] : []) {
        if (cut > from) rows.push({ text: text.slice(from, cut), number, start: from })
        from = cut
      }
      if (mark.opens && mark.beginsLine) thoughtful.add(rows.length - (mark.touchesFence ? 1 : 0))
    }
    if (from < end || from === start) rows.push({ text: text.slice(from, end), number, start: from })
    start = end + 1
  }
  const fences = rows.map((row) => readFenceLine(row.text))
  const nextFence = nextWhere(rows.length, (at) => fences[at] !== undefined)
  return {
    rows,
    fences,
    nextFence,
    nextPlain: nextWhere(rows.length, (at) => !/^[ \t]{0,3}>/.test(rows[at]?.text ?? '')),
    nextThought: nextWhere(rows.length, (at) => thoughtful.has(at)),
    ...pairFences(fences, nextFence),
    marks,
    next: 0,
    regions: [],
    pending: [],
    wrapped: [],
  }
}

/** Returns for each line the next one at or behind it of which something holds; their number if there is none. */
function nextWhere(count: number, holds: (at: number) => boolean): Int32Array {
  const next = new Int32Array(count + 2).fill(count)
  for (let at = count - 1; at >= 0; at--) next[at] = holds(at) ? at : (next[at + 1] as number)
  return next
}

/** Counts the fences from each line on, and says whether those from a fence on come in pairs. */
function pairFences(
  fences: BlockScan['fences'],
  next: Int32Array,
): Pick<BlockScan, 'fencesFrom' | 'pairsUp'> {
  const fencesFrom = new Int32Array(fences.length + 2)
  const pairsUp = new Uint8Array(fences.length + 2)
  for (let at = fences.length - 1; at >= 0; at--) {
    fencesFrom[at] = (fencesFrom[at + 1] as number) + (fences[at] ? 1 : 0)
    const [close, behind] = [next[at + 1] as number, next[(next[at + 1] as number) + 1] as number]
    pairsUp[at] = fences[close]?.info === '' && (behind >= fences.length || pairsUp[behind] === 1) ? 1 : 0
  }
  return { fencesFrom, pairsUp }
}
