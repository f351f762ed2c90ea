import { join } from 'node:path'
import { z } from 'zod'
import type { RunManifest } from '../../schema/run/run.ts'
import { parseLine } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'
import { readLines } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'

const file = runFiles.looks

/** One line of looks.jsonl: an interim look, which is a comparison that was shown before all trials of the plan had ended. */
const InterimLook = z.object({
  at: z.string(),
  /** Number of records at that time. */
  records: z.int().min(0),
  /** The command that showed the comparison. */
  command: z.string(),
})
type InterimLook = z.infer<typeof InterimLook>

/** Whether a look at a run voids later tests: simulated runs are not tested, and a stop rule looks after every task. */
export const isTested = ({ simulated, comparison }: RunManifest) => !simulated && !comparison?.stop

/** Whether more trials follow so many records of a run: of a shard, those of the others. */
export const isPart = ({ trials, shard, imported }: RunManifest, records: number) =>
  records > 0 && !imported && (records < trials || shard !== undefined)

/** Reads the interim looks at a run, in order. Throws `UserError` for a damaged line. */
export function readInterimLooks(folder: string): InterimLook[] {
  const path = join(folder, file)
  return [...readLines(path)].map(({ text, number }) =>
    parseLine(text, InterimLook, {
      where: `${path}:${number}`,
      remedy: 'Restore the file from a copy of the run folder.',
    }),
  )
}

/**
 * Appends an interim look. Returns false if the folder is read-only: no trials can be added to it, so the look does not affect
 * a later test.
 */
export function noteInterimLook(folder: string, look: Omit<InterimLook, 'at'>): boolean {
  try {
    const out = openLineFile(join(folder, file))
    out.append(JSON.stringify({ at: new Date().toISOString(), ...look }))
    out.close()
    return true
  } catch (error) {
    const { code } = (error as { cause?: NodeJS.ErrnoException }).cause ?? (error as NodeJS.ErrnoException)
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
    return false
  }
}
