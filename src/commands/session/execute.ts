import { join } from 'node:path'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { openFolderNote } from '../../loop/record/run-folder.ts'
import { createStopRuleWatch } from '../../loop/work/stop-rule-watch.ts'
import { type WorkEnd, work } from '../../loop/work/work.ts'
import type { FailedCondition } from '../../reports/formats/markdown.ts'
import type { Report } from '../../reports/report.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { acquireWatchdog } from '../../user-code/watchdog-state.ts'
import { noteRetryAfterLook } from '../compare/interim-look.ts'
import { mergeOptions, withLocatedProblems } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { writeSummary } from '../report/report-files.ts'
import { reportRun } from '../report/report-run.ts'
import { type Condition, evaluateConditions } from '../values/fail-if.ts'
import { saveArtifacts } from './artifacts.ts'
import { beginRun } from './begin-run.ts'
import { type OpenedRun, type RunTools, readSessionOptions, type SessionOptions } from './session-options.ts'

/** The result of a run after this session. */
export interface ExecutedRun {
  folder: string
  manifest: RunManifest
  end: WorkEnd
  /** Covers all records so far. */
  report: Report
  /** Conditions of `--fail-if` that are true. */
  held: FailedCondition[]
}

/** Starts or resumes a run, runs its trials, and reports its results; writes summary.md when the run is complete. */
export async function executeRun(flags: RunOptions, tools: RunTools): Promise<ExecutedRun> {
  const given = mergeOptions(flags)
  const releaseWatch = acquireWatchdog()
  try {
    return await withLocatedProblems(given, async () => {
      const options = await readSessionOptions(given, tools)
      const opened = await open(flags, options)
      const note = openFolderNote(opened.session.folder)
      if (note !== undefined) options.onWarning(note)
      const end = await (tools.letWork ?? workOnRun)(opened, options)
      opened.session.verdicts?.save()
      return summarizeRun(opened, end, options.conditions)
    })
  } finally {
    releaseWatch()
  }
}

/** A new run does not load what reads an old one. */
async function open(flags: RunOptions, options: SessionOptions): Promise<OpenedRun> {
  if (flags.resume === undefined && flags.extend === undefined) return beginRun(options)
  return (await import('./extend-run.ts')).goOn(flags, options)
}

async function workOnRun(
  { session, manifest }: OpenedRun,
  { given, parallel, signal, onEvent, onWarning }: SessionOptions,
): Promise<WorkEnd> {
  const { retryErrors, keepGoing } = given.options
  const watch = createStopRuleWatch(session.folder, manifest)
  return await work(session, {
    parallel,
    ...(retryErrors && {
      retryErrors,
      onRetry: (retry) => noteRetryAfterLook(session.folder, manifest, retry, onWarning),
    }),
    ...(keepGoing && { keepGoing }),
    signal,
    onEvent,
    ...(watch && { onRecord: watch.add, isSettled: watch.isSettled }),
    ...(manifest.request && {
      onFinished(finished) {
        const save = () => saveArtifacts(session.folder, finished)
        for (const note of withStorageErrors(join(session.folder, 'artifacts'), save)) onWarning(note)
      },
    }),
  })
}

async function summarizeRun(
  { session: { folder }, manifest }: OpenedRun,
  end: WorkEnd,
  conditions: readonly Condition[],
): Promise<ExecutedRun> {
  if (manifest.methods.some(({ options }) => options.machine !== undefined)) {
    const { addContextTables } = await import('../report/machine-contexts.ts')
    await addContextTables(folder, manifest)
  }
  const report = await reportRun(folder, manifest)
  if (end.interrupted) return { folder, manifest, end, report, held: [] }
  // A part of a run has no results of its own.
  if (!manifest.shard) writeSummary(folder, report)
  const held = evaluateConditions(conditions, report.summary, report.comparison?.comparison ?? null)
  return { folder, manifest, end, report, held }
}
