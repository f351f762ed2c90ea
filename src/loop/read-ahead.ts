import { closeSync } from 'node:fs'
import { createDataDigest, type DigestedLines, dataEnd } from './data-digest.ts'
import { type LineThread, linesByThread, lineThread, type ThreadEnd } from './line-thread.ts'
import { type LineBlock, linesOf, openLines, readBlocks } from './lines.ts'

/**
 * The lines of a file of records and the digest of their data: the same as without a thread, in less time. What the thread
 * cannot do, this one does.
 */
export function readAhead(path: string, thread: LineThread = lineThread()): DigestedLines {
  let ofThread: ThreadEnd = {}
  const own = createDataDigest()
  let isAlone = false

  function* read(): Generator<LineBlock> {
    const fd = openLines(path)
    if (fd === undefined) return
    try {
      const place = { number: 1, offset: 0 }
      ofThread = yield* linesByThread(fd, place, thread)
      if (ofThread.digest !== undefined) return
      // A digest cannot be handed over half done.
      for (const line of linesOf(readBlocks(fd, path, { number: 1, offset: 0 }), path)) {
        if (line.offset >= place.offset) break
        own.add(line, dataEnd(line))
      }
      isAlone = true
      yield* readBlocks(fd, path, place)
    } finally {
      closeSync(fd)
    }
  }
  return {
    blocks: read(),
    digest: {
      add(line, end) {
        if (isAlone) own.add(line, end)
      },
      result: () => ofThread.digest ?? own.result(),
    },
    note() {
      const { fault } = ofThread
      return fault === undefined
        ? undefined
        : `the thread that read ${path} ahead broke: ${fault}; without it the report is the same, and takes longer`
    },
  }
}
