import { crc32 } from 'node:zlib'
import { expect } from 'vitest'
import { type DigestedLines, dataEnd } from '../../src/loop/data-digest.ts'
import { type LineThread, lineThread } from '../../src/loop/line-thread.ts'
import { type Line, type LineBlock, lineOf, linesOf } from '../../src/loop/lines.ts'
import { recordSealBytes } from '../../src/loop/seal.ts'
import { outcomeOf } from './fuzz.ts'

/** How many blocks a thread made, and how many lines came in others: a test of threads is none where none read anything. */
export interface Shares {
  blocks: number
  alone: number
}

/** None yet. */
export const noShares = (): Shares => ({ blocks: 0, alone: 0 })

/** The same blocks; of those of a thread it checks the sums. */
export function* counted(blocks: Iterable<LineBlock>, shares: Shares): Generator<LineBlock> {
  for (const block of blocks) {
    if (block.sums) shares.blocks++
    else shares.alone += block.count
    for (let index = 0, start = 0; block.sums && index < block.count; index++) {
      const end = block.ends[index] as number
      if (end - start > recordSealBytes)
        expect(block.sums[index]).toBe(crc32(block.bytes.subarray(start, end - recordSealBytes)) | 0)
      start = end + 1
    }
    yield block
  }
}

/** A thread that reads blocks of so many bytes. */
export const small = (blockBytes: number): LineThread => ({ ...lineThread(), blockBytes })

/** All lines with their places, and the digest of their data; or what is wrong with one. */
export const linesRead = (path: string, { blocks, digest }: DigestedLines, shares = noShares()) =>
  outcomeOf(() => {
    const lines: Line[] = []
    for (const line of linesOf(counted(blocks, shares), path)) {
      digest.add(line, dataEnd(line))
      lines.push(lineOf(line))
    }
    return { lines, digest: digest.result() }
  })
