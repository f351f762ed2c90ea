import { parseFileBlocks } from '../../replies/files.ts'
import { readWork } from '../../replies/read-work.ts'
import type { Step } from '../../schema/ledger/step.ts'
import type { Task } from '../../schema/task.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Blobs } from '../journal/blobs.ts'

/**
 * Returns a lookup of a trial's file contents by hash, for showing its change sets. Contents come from the task's files, the
 * file blocks in replies, and the blobs. Without the task, the contents of its original files are unknown.
 */
export function indexFileContents(
  steps: readonly Step[],
  task: Task | undefined,
  blobs: Blobs,
): (hash: string) => string | undefined {
  const known = new Map(Object.values(task?.files ?? {}).map((text) => [sha256(text), text]))
  for (const step of steps) {
    if (step.kind !== 'ask' || step.reply === undefined || !step.changeSet) continue
    const { edits } = task ? readWork(task, step.reply) : parseFileBlocks(step.reply)
    for (const { content } of edits) if (content !== null) known.set(sha256(content), content)
  }
  return (hash) => known.get(hash) ?? blobs.get(hash)
}
