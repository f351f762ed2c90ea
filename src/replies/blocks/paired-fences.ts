import { canBeInfo } from './block-info.ts'
import type { FenceLine } from './fence-line.ts'

/** A fence within an open block, or behind it up to the next file. */
export interface InnerFence extends FenceLine {
  /** Its line. */
  at: number
  /** Whether text is right above it and an empty line below. Such a fence without an info string opens no block. */
  endsText: boolean
}

/**
 * Finds the fences that may close a block which holds blocks of its own: those before such a fence come in pairs, and so do those
 * behind it. Gives their lines in order, and whether any fence could close the block if it stood alone. Takes linear time.
 */
export function findClosing(
  inner: readonly InnerFence[],
  outer: FenceLine,
): { lines: number[]; isDoubtful: boolean } {
  const { closing, pairsUp } = pairFences(inner, outer)
  const lines: number[] = []
  let isDoubtful = false
  for (let i = 0; i < inner.length; ) {
    const fence = inner[i] as InnerFence
    if (fence.sign === outer.sign && isCloser(fence)) {
      isDoubtful = true
      if (pairsUp[i + 1]) lines.push(fence.at)
    }
    const close = closing[i] ?? (fence.sign === outer.sign ? undefined : i)
    if (close === undefined) break
    i = close + 1
  }
  return { lines, isDoubtful }
}

/** Finds which fence closes the block that each opens, and whether all from each on come in pairs; the last block may be left open. */
function pairFences(inner: readonly InnerFence[], outer: FenceLine) {
  const closing: (number | undefined)[] = []
  const pairsUp: boolean[] = []
  pairsUp[inner.length] = true
  for (let i = inner.length - 1; i >= 0; i--) {
    const fence = inner[i] as InnerFence
    let at = i + 1
    // What is shorter, or of another sign, is content of the inner block.
    while (at < inner.length && !closes(inner[at] as InnerFence, fence)) {
      const next = inner[at] as InnerFence
      const isNested = next.sign === fence.sign && next.length >= fence.length
      const behind = isNested && isBare(fence) ? undefined : isNested ? closing[at] : at
      at = behind === undefined ? inner.length : behind + 1
    }
    if (at < inner.length && opens(fence)) closing[i] = at
    const close = closing[i] ?? (fence.sign === outer.sign ? undefined : i)
    pairsUp[i] = close === undefined ? !isBare(fence) : pairsUp[close + 1] === true
  }
  return { closing, pairsUp }
}

const isBare = ({ info }: FenceLine) => info === '' || !canBeInfo(info)
const isCloser = (fence: InnerFence) => isBare(fence) && fence.marker === ''
const opens = (fence: InnerFence) => !isBare(fence) || !fence.endsText
const closes = (fence: InnerFence, { sign, length }: FenceLine) =>
  isCloser(fence) && fence.sign === sign && fence.length >= length
