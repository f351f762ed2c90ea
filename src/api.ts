import type { Comparison } from './analysis/compare/comparison.ts'
import type { Summary } from './analysis/summary.ts'
import { noteProgramLook } from './commands/compare/interim-look.ts'
import { inRequestWords, type RunRequest, requestToOptions } from './commands/config/run-request.ts'
import { executeRun } from './commands/session/execute.ts'
import { readRecords } from './loop/record/records.ts'
import type { TrialRecord } from './schema/ledger/record.ts'
import type { LimitUse } from './schema/limits.ts'
import { UserError } from './text/errors.ts'
import { setBlockTimeout } from './user-code/watchdog-state.ts'

export type { Comparison } from './analysis/compare/comparison.ts'
export type { Summary } from './analysis/summary.ts'
export * from './author.ts'
export type { GivenLimits, RunRequest } from './commands/config/run-request.ts'
export type { RunEvent } from './loop/branch/run-session.ts'
export type { TrialRecord } from './schema/ledger/record.ts'
export type { Step } from './schema/ledger/step.ts'
export type { LimitUse } from './schema/limits.ts'

/** The result of a run. */
export interface RunResult {
  /** The run folder, with every record and step. */
  folder: string
  /** Whether the run was aborted, or stopped by a limit, before all trials had ended. */
  interrupted: boolean
  /** The limits of the run and of its methods: how much of each is used, and whether it stopped something. */
  limits: readonly LimitUse[]
  summary: Summary
  /**
   * How the methods compare, by the plan in run.json; null if there is nothing to compare. Reading it before all trials have
   * ended is an interim look, which the run folder records: tests are void once more trials are added.
   */
  readonly comparison: Comparison | null
  /** The conditions of `failIf` that hold, each with its value; empty after an interrupted run. */
  held: readonly { text: string; value: string }[]
  /** Whether `stopWhen` stopped the run because its results were settled. */
  settled: boolean
  /** The trials that wait for a person's answer (`approve: 'park'`), each with its question. `bench approve` answers. */
  waiting: readonly { trial: string; question: string }[]
  /** Why a live run stopped because going on would only have cost money; undefined otherwise. See `RunRequest.keepGoing`. */
  repeatedFailure: string | undefined
  /** Reads the records from the run folder, one at a time. */
  records(): Iterable<TrialRecord>
}

/**
 * Runs methods on tasks and returns a summary, as `bench run` does, without printing. Throws `UserError` with every problem of
 * the request.
 */
export async function run(request: RunRequest): Promise<RunResult> {
  const options = requestToOptions(request)
  const { signal = new AbortController().signal, onEvent = () => {} } = request
  const { folder, manifest, end, report, held } = await executeRun(options, { signal, onEvent })
    .catch((error: unknown) => {
      throw error instanceof UserError ? new UserError(error.problems.map(inRequestWords)) : error
    })
    .finally(() => setBlockTimeout(Number.POSITIVE_INFINITY))
  return {
    folder,
    interrupted: end.interrupted,
    limits: end.limits,
    summary: report.summary,
    get comparison() {
      const comparison = report.comparison?.comparison ?? null
      if (comparison) noteProgramLook(folder, manifest, report.summary.records)
      return comparison
    },
    held,
    settled: end.settled,
    waiting: end.waiting.map(({ trial, question }) => ({ trial, question })),
    repeatedFailure: end.repeatedFailure,
    records: () => readRecords(folder),
  }
}
