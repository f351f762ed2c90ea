import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { createRunFolder, openFolderNote } from '../../loop/record/run-folder.ts'
import type { Approvals } from '../../loop/state/approvals.ts'
import type { Session } from '../../loop/state/run-session.ts'
import { createStopRuleWatch } from '../../loop/work/stop-rule-watch.ts'
import { type WorkEnd, work } from '../../loop/work/work.ts'
import type { FailedCondition } from '../../reports/formats/markdown.ts'
import { formats } from '../../reports/registry.ts'
import type { Report } from '../../reports/report.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { acquireWatchdog } from '../../user-code/watchdog-state.ts'
import { noteRetryAfterLook } from '../compare/interim-look.ts'
import { locateProblem, mergeOptions } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { createSession } from '../open/create-session.ts'
import { writeOrigin } from '../open/run-origin.ts'
import { takesPowers } from '../open/trust-code.ts'
import { defaultPolicy } from '../people/approval-policy.ts'
import { askingMethods } from '../people/can-ask.ts'
import { reportRun } from '../report/report-run.ts'
import { saveRequest } from '../tasks/request-task.ts'
import { type Condition, evaluateConditions } from '../values/fail-if.ts'
import { saveArtifacts } from './artifacts.ts'
import { type NewRun, resolveRun } from './new-run.ts'
import { resumeRun } from './resume-run.ts'
import { type RunTools, readSessionOptions, type SessionOptions } from './session-options.ts'

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
    const options = await readSessionOptions(given, tools)
    const opened =
      flags.resume === undefined ? await beginRun(options) : await resumeRun(flags.resume, options)
    const note = openFolderNote(opened.session.folder)
    if (note !== undefined) options.onWarning(note)
    const end = await workOnRun(opened, options)
    return await summarizeRun(opened, end, options.conditions)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => locateProblem(given, problem)))
  } finally {
    releaseWatch()
  }
}

/** A run that is ready to work on. */
interface OpenedRun {
  session: Session
  manifest: RunManifest
}

/** Resolves a requested run and creates its folder. If anything is wrong, throws `UserError` with every problem and creates nothing. */
async function beginRun(options: SessionOptions): Promise<{ session: Session; manifest: RunManifest }> {
  const { given, problems, conditions, redact, sandbox, memory, signal, onWarning } = options
  const tools = { redact, sandbox, memory, signal, onWarning }
  const run = await resolveRun(given, problems, conditions, tools)
  const { manifest, folder, tasks } = run
  for (const warning of run.warnings) onWarning(warning)
  const [task] = tasks
  createRunFolder(folder, manifest, (folder) => manifest.request && task && saveRequest(folder, task))
  if (takesPowers(manifest)) withStorageErrors(join(folder, 'origin'), () => writeOrigin(folder))
  const { strategies, agents, profile, toolFiles, sandboxed } = run
  const created = createSession(folder, manifest, {
    ...{ tasks, strategies, agents, profile, toolFiles },
    ...{ approvals: newApprovals(options, run), redact },
    ...{ sandbox: sandbox.run, memory, budgets: manifest.budgets },
  })
  return { session: { ...created, sandboxed }, manifest }
}

/** Returns who answers approvals. If nobody decided that and approvals are answered yes in a live run, a line says so. */
function newApprovals({ approve, askPerson, onWarning }: SessionOptions, run: NewRun): Approvals {
  const policy = approve ?? defaultPolicy(askPerson)
  if (approve || policy.policy !== 'yes' || run.manifest.mode !== 'live') return { policy, askPerson }
  const advice = 'set --approve park to be asked, or --approve yes'
  const methods = askingMethods(run.manifest, run.strategies)
  if (methods.length > 0) {
    onWarning(`${methods.join(', ')} can ask a person, and every approval is answered yes; ${advice}`)
    return { policy, askPerson }
  }
  let isSaid = false
  const onDefault = () => {
    if (!isSaid) onWarning(`a method asked for an approval, and it was answered yes; ${advice}`)
    isSaid = true
  }
  return { policy, askPerson, onDefault }
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
  const report = await reportRun(folder, manifest)
  if (end.interrupted) return { folder, manifest, end, report, held: [] }
  const path = join(folder, 'summary.md')
  const text = formats.markdown.render(report, { tasks: true })
  withStorageErrors(path, () => writeFileSync(path, text))
  const held = evaluateConditions(conditions, report.summary, report.comparison?.comparison ?? null)
  return { folder, manifest, end, report, held }
}
