import type { Comparison } from './analysis/compare/comparison.ts'
import type { Summary } from './analysis/summary.ts'
import { requestToOptions } from './commands/config/request-to-options.ts'
import type { RunRequest } from './commands/config/run-request.ts'
import { executeRun } from './commands/session/execute.ts'
import { readRecords } from './loop/record/records.ts'
import type { TrialRecord } from './schema/ledger/record.ts'
import type { LimitUse } from './schema/limits.ts'
import { setBlockTimeout } from './user-code/watchdog-state.ts'

/** The zod that options and shapes must be made with. */
export { z } from 'zod'
export type { Comparison } from './analysis/compare/comparison.ts'
export type { Summary } from './analysis/summary.ts'
export type { GivenLimits, RunRequest } from './commands/config/run-request.ts'
export type { RunEvent } from './loop/state/events.ts'
export type { TrialRecord } from './schema/ledger/record.ts'
export type { Step } from './schema/ledger/step.ts'
export type { LimitUse } from './schema/limits.ts'
export {
  type Ask,
  type AskOptions,
  type CheckResult,
  defineStrategy,
  type FileEdit,
  type KindOfWork,
  type Strategy,
  type StrategyContext,
  type StrategyResult,
  type TraceEvent,
  type Workspace,
} from './strategy.ts'
export { UserError } from './text/errors.ts'

/** What became of it. */
export interface RunResult {
  /** The run folder, with every record and step. */
  folder: string
  /** Aborted, or stopped by a limit, before all trials had ended. */
  interrupted: boolean
  /** The limits of the run and of its methods: how much is used, and whether they stopped something. */
  limits: readonly LimitUse[]
  summary: Summary
  /** How the methods compare, as the plan in run.json states it; null where there is nothing to compare. */
  comparison: Comparison | null
  /** The conditions of `failIf` that hold, each with the value that it holds for; none of an interrupted run. */
  held: readonly { text: string; value: string }[]
  /** Stopped by `stopWhen`, its results being settled. */
  settled: boolean
  /** Why the rest of a live run would have been paid in vain, where that stopped it; see `RunRequest.keepGoing`. */
  inVain: string | undefined
  /** Reads the records again from the run folder, one at a time. */
  records(): Iterable<TrialRecord>
}

/**
 * Runs methods on tasks and sums up what came out: what `bench run` does, without printing. Throws `UserError` with
 * all that is wrong with the request.
 */
export async function run(request: RunRequest): Promise<RunResult> {
  const options = requestToOptions(request)
  const { signal = new AbortController().signal, onEvent = () => {} } = request
  const { folder, end, report, held } = await executeRun(options, { signal, onEvent }).finally(() =>
    setBlockTimeout(Number.POSITIVE_INFINITY),
  )
  return {
    folder,
    interrupted: end.interrupted,
    limits: end.limits,
    summary: report.summary,
    comparison: report.comparison?.comparison ?? null,
    held,
    settled: end.settled,
    inVain: end.inVain,
    records: () => readRecords(folder),
  }
}
