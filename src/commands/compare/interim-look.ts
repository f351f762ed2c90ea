import { existsSync } from 'node:fs'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { isPart, isTested, noteInterimLook, readInterimLooks } from '../../loop/record/interim-looks.ts'
import { readRecords } from '../../loop/record/records.ts'
import type { Retry } from '../../loop/work/resume.ts'
import { counted, formatUsd } from '../../reports/words/numbers.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { confirm } from '../terminal/say.ts'

/** Whether a look at `records` records of a run must be noted: more trials may be added. */
export const isInterim = (manifest: RunManifest, records: number) =>
  isTested(manifest) && isPart(manifest, records)

/**
 * Asks before a person sees results by method of a live run that is not whole: at the terminal, else it requires `--peek`. Such a
 * look voids tests for a fixed number of tasks once more trials are added. A simulated run is not tested, and a run with a stop
 * rule allows looks, so both need no asking. Throws `UserError` if the look is not wanted. It does not note the look.
 */
export async function askToLook(
  folder: string,
  manifest: RunManifest,
  { command, peek }: { command: string; peek: boolean },
): Promise<void> {
  if (peek) return
  const look = interimLook(folder, manifest)
  if (!look) return
  if (process.stdin.isTTY && process.stderr.isTTY) {
    process.stderr.write(`${folder} ${look.text}.\n`)
    if (await confirm('Look anyway?', new AbortController().signal)) return
  }
  throw new UserError({
    where: `bench ${command} ${folder}`,
    what: look.text,
    fix: manifest.shard
      ? 'Join the shards with bench runs join SHARD… --out RUN, or add --peek to look.'
      : `Wait until it is whole (bench runs shows how far it is), resume it with ${resumeCommand(folder)}, or add --peek to look. A run with --stop-when settled allows looks.`,
  })
}

/** Says how far a run is, what it spent, and what a look now means; null where results by method are no look before the end. */
export function interimLook(folder: string, manifest: RunManifest): { text: string; records: number } | null {
  if (!isTested(manifest)) return null
  const done = countTrials(folder)
  if (!isPart(manifest, done.trials)) return null
  const { shard } = manifest
  const what = shard ? `is shard ${shard.index} of ${shard.of} of a run` : 'is not whole'
  return {
    text: `${what}: ${trialsDone(folder, manifest)}. Results by method now are a look before its end: if trials are added after it, the tests for a fixed number of tasks are void, and the look stays noted in the run`,
    records: done.trials,
  }
}

/** Says how many trials of a run have ended, and what they spent: `3 of 10 trials have ended, $0.12 spent`. */
export function trialsDone(folder: string, { trials }: RunManifest): string {
  const [own, all] = [countTrials(folder), countTrials(...ledgersOf(folder))]
  return doneText({ ...all, inBlocks: all.trials - own.trials }, trials)
}

interface Done {
  trials: number
  errors: number
  costUsd: number
  atLeast: boolean
}

function countTrials(...folders: string[]): Done {
  const done: Done = { trials: 0, errors: 0, costUsd: 0, atLeast: false }
  for (const folder of folders)
    for (const { outcome, spent } of readRecords(folder)) {
      done.trials++
      if (outcome.status === 'error') done.errors++
      done.costUsd += spent.costUsd ?? 0
      done.atLeast ||= spent.costUsd === null
    }
  return done
}

function doneText(
  { trials, errors, costUsd, atLeast, inBlocks }: Done & { inBlocks: number },
  planned: number,
): string {
  const failed = errors > 0 ? `, ${errors} with an error` : ''
  const cost =
    costUsd === 0 && atLeast
      ? 'at an unknown cost'
      : `${atLeast ? 'at least ' : ''}${formatUsd(costUsd)} spent`
  const joined = inBlocks > 0 ? ` (${trials - inBlocks} joined, ${inBlocks} in blocks of workers)` : ''
  return `${trials} of ${counted(planned, 'trial')} have ended${joined}${failed}, ${cost}`
}

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

/** Records the same without a word, for a program that reads a comparison, as `noteLook`. */
export function noteProgramLook(folder: string, manifest: RunManifest, records: number): void {
  noteLook(folder, manifest, { records, command: 'run()' })
}

/** Records a look of a program; nothing if the last look was at as many records, or if the run folder is gone. */
export function noteLook(
  folder: string,
  manifest: RunManifest,
  { records, command }: { records: number; command: string },
): void {
  if (!isInterim(manifest, records) || !existsSync(folder)) return
  if (readInterimLooks(folder).at(-1)?.records === records) return
  noteInterimLook(folder, { records, command })
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
