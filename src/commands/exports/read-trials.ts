import { join } from 'node:path'
import type { ExportedTrial } from '../../exports/exported-trial.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../../loop/record/records.ts'
import { handedIn } from '../../reports/story/handed-in.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'

/** Returns how many trials of a run have ended. Throws `UserError` if none has. */
export function countEnded(folder: string): number {
  let ended = 0
  for (const _ of recordedTrials(folder)) ended++
  if (ended > 0) return ended
  throw new UserError({
    where: folder,
    what: 'has no trial that has ended',
    fix: `bench show ${shellWord(folder)} shows its plan.`,
  })
}

/** Reads the trials of a run that have ended, one at a time, with their steps. Throws `UserError` for a damaged line. */
export function* readTrials(folder: string, tasks: ReadonlyMap<string, Task>): Generator<ExportedTrial> {
  const blobs = openBlobs(join(folder, 'blobs'))
  const index = indexJournal(folder, blobs, () => true)
  try {
    for (const record of readRecords(folder)) {
      const steps = [...index.readTrial(record.trial).steps.values()]
      const { answer } = handedIn({ ...record, delivered: null }, [], blobs.get)
      const instruction = tasks.get(record.task)?.instruction
      yield { record, steps, instruction, answer: answer ?? undefined }
    }
  } finally {
    index.close()
  }
}
