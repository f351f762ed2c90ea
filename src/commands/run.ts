import type { RunEvent } from '../loop/state/events.ts'
import { findConfig } from './config/config-file.ts'
import type { RunOptions } from './config/run-options.ts'
import { createNotifier } from './notify/notifier.ts'
import { isPersonThere, openPerson } from './people/ask-person.ts'
import { confirmCost, printEstimate } from './session/dry-run.ts'
import { type ExecutedRun, executeRun } from './session/execute.ts'
import { reportToCi, stepSummaryProblem } from './session/report-ci.ts'
import { countErrors, reportLimits, reportResult, reportStop } from './session/report-end.ts'
import { collectTrialNotes, type TrialNotes } from './session/trial-notes.ts'
import { guardProcess } from './terminal/guard-process.ts'
import { createProgress } from './terminal/progress.ts'
import { reportNote } from './terminal/report-error.ts'

/**
 * `bench run`: writes progress to stderr and the table to stdout, and tells whom `--notify` names how it ended. Exit code 0; 1
 * for a true `--fail-if` or trials in error; 3 if a limit of the run or of a method stopped it; 4 if trials wait for a person, or
 * it was paused; 130 if interrupted.
 */
export default async function run(options: RunOptions): Promise<number> {
  const progress = createProgress(process.stderr, options.quiet === true)
  const abort = new AbortController()
  const guard = guardProcess(abort, progress)
  const notes = collectTrialNotes()
  let folder = ''
  const person = isPersonThere() ? openPerson(progress.hold, () => folder) : undefined
  const onEvent = (event: RunEvent) => {
    if (event.type === 'start') {
      folder = event.folder
      guard.begun(folder)
    }
    if (event.type === 'trial') notes.add(event.record)
    progress.onEvent(event)
  }
  try {
    const found = options.resume === undefined ? (options.config ?? findConfig()) : options.config
    const asked = found === undefined ? options : { ...options, config: found }
    const notifier = createNotifier(asked, abort.signal)
    if (asked.dryRun) return await printEstimate(asked, abort.signal)
    reportNote(stepSummaryProblem(asked))
    if (!(await confirmCost(asked, abort.signal))) return 130
    const tools = { signal: abort.signal, onEvent, askPerson: person?.ask }
    const executed = await executeRun(asked, tools).catch(async (error) => {
      progress.end()
      if (folder !== '') await notifier.tellFailure(folder, error)
      throw error
    })
    // Unhandled rejections are reported in the next iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    progress.end()
    const byPerson = abort.signal.aborted
    const code = await reportEnd(asked, executed, { notes, byPerson, isBroken: () => guard.broken })
    await notifier.tellEnd(executed, { exitCode: code, byPerson })
    return code
  } finally {
    person?.close()
    progress.end()
    guard.end()
  }
}

/** Reports how a run ended. Returns the exit code. */
async function reportEnd(
  asked: RunOptions,
  executed: ExecutedRun,
  { notes, byPerson, isBroken }: { notes: TrialNotes; byPerson: boolean; isBroken(): boolean },
): Promise<number> {
  const unwritten = await reportToCi(asked, executed)
  reportLimits(executed.end)
  if (executed.end.interrupted) {
    const code = reportStop(executed, byPerson)
    return isBroken() ? 1 : code
  }
  reportResult(executed, notes, asked.json === true)
  return executed.held.length > 0 || countErrors(executed) > 0 || isBroken() ? 1 : unwritten
}
