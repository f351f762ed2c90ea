import type { RunEvent } from '../loop/state/events.ts'
import { findConfig } from './config/config-file.ts'
import type { RunOptions } from './config/run-options.ts'
import { isConfirmed, printEstimate } from './session/dry-run.ts'
import { executeRun } from './session/execute.ts'
import { collectRemarks } from './session/run-remarks.ts'
import { summaryFault, tellCi } from './session/tell-ci.ts'
import { errorsOf, tellLimits, tellResult, tellStopped } from './session/tell-end.ts'
import { guardProcess } from './terminal/guard-process.ts'
import { createProgress } from './terminal/progress.ts'
import { reportNote } from './terminal/report-error.ts'

/**
 * `bench run`: progress to stderr, the table to stdout. Exit code 0, 1 (`--fail-if`, or trials in error), 3 when a limit of
 * the run or of a method stopped it, 130 when interrupted.
 */
export default async function run(options: RunOptions): Promise<number> {
  const progress = createProgress(process.stderr, options.quiet === true)
  const abort = new AbortController()
  const guard = guardProcess(abort, progress)
  const remarks = collectRemarks()
  const onEvent = (event: RunEvent) => {
    if (event.type === 'start') guard.begun(event.folder)
    if (event.type === 'trial') remarks.add(event.record)
    progress.onEvent(event)
  }
  try {
    const found = options.resume === undefined ? (options.config ?? findConfig()) : options.config
    const asked = found === undefined ? options : { ...options, config: found }
    if (asked.dryRun) return await printEstimate(asked, abort.signal)
    reportNote(summaryFault(asked))
    if (!(await isConfirmed(asked, abort.signal))) return 130
    const executed = await executeRun(asked, { signal: abort.signal, onEvent })
    // Rejections that nobody awaits are told a turn later.
    await new Promise((resolve) => setImmediate(resolve))
    progress.end()
    const unwritten = await tellCi(asked, executed)
    tellLimits(executed.end)
    if (executed.end.interrupted) {
      const code = tellStopped(executed, abort.signal.aborted)
      return guard.broken ? 1 : code
    }
    tellResult(executed, remarks, options.json === true)
    return executed.held.length > 0 || errorsOf(executed) > 0 || guard.broken ? 1 : unwritten
  } finally {
    progress.end()
    guard.end()
  }
}
