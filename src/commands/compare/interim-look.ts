import { existsSync } from 'node:fs'
import { noteInterimLook, readInterimLooks } from '../../loop/record/interim-looks.ts'
import type { Retry } from '../../loop/work/resume.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Whether a look at a run voids later tests: simulated runs are not tested, and a stop rule looks after every task. */
const isTested = ({ simulated, comparison }: RunManifest) => !simulated && !comparison?.stop

/** Whether a look at `records` records of a run must be noted: more trials may be added. */
const isInterim = (manifest: RunManifest, records: number) =>
  isTested(manifest) && records > 0 && records < manifest.trials

/**
 * Records on disk that a person saw a comparison before the run was complete, and says so on stderr: if trials are added
 * later, tests for a fixed number of tasks are void. Does nothing for a run whose tests a look does not void.
 */
export function reportInterimLook(
  folder: string,
  manifest: RunManifest,
  records: number,
  command: string,
): void {
  if (!isInterim(manifest, records)) return
  const isNoted = noteInterimLook(folder, { records, command: `bench ${command}` })
  const look = `this interim look at ${records} of ${manifest.trials} trials`
  process.stderr.write(
    isNoted
      ? `${look} is recorded: if more trials are added, the tests for a fixed number of tasks are void\n`
      : `${look} cannot be recorded because ${folder} is read-only; if the run is resumed elsewhere, the tests for a fixed number of tasks are void\n`,
  )
}

/**
 * Records the same without a word, for a program that reads a comparison; nothing if the last look was at as many records, or
 * if the run folder is gone.
 */
export function noteProgramLook(folder: string, manifest: RunManifest, records: number): void {
  if (!isInterim(manifest, records) || !existsSync(folder)) return
  if (readInterimLooks(folder).at(-1)?.records === records) return
  noteInterimLook(folder, { records, command: 'run()' })
}

/**
 * Records that trials are made again after a person saw results: when the run was complete, or after an interim look. The
 * tests for a fixed number of tasks are then void, since the results may be the reason for making trials again.
 */
export function noteRetryAfterLook(
  folder: string,
  manifest: RunManifest,
  { before, kept }: Retry,
  warn: (message: string) => void,
): void {
  const isSeen = before >= manifest.trials || readInterimLooks(folder).length > 0
  if (!isTested(manifest) || !isSeen) return
  noteInterimLook(folder, { records: kept, command: 'bench run --resume --retry-errors' })
  warn(
    `${before - kept} of ${manifest.trials} trials are made again after a look at the results. This is recorded as a look: the tests for a fixed number of tasks are void`,
  )
}
