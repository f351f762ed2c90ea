import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { endBlockedAfter, holdWatch } from '../block-state.ts'
import { type Problem, UserError } from '../errors.ts'
import { noBudgets } from '../loop/admission.ts'
import { lostSessions } from '../loop/check-ledger.ts'
import type { RunEvent } from '../loop/events.ts'
import { refuseHeldFolder } from '../loop/lock.ts'
import { repairNotes, repairRunFolder } from '../loop/repair.ts'
import { createRunFolder } from '../loop/run-folder.ts'
import { readSessions } from '../loop/sessions.ts'
import { storing } from '../loop/storage.ts'
import { removeForeignLock } from '../loop/take-over.ts'
import { type WorkEnd, work } from '../loop/work.ts'
import { formats } from '../reports/registry.ts'
import type { Report } from '../reports/report.ts'
import type { HeldCondition } from '../reports/step-summary.ts'
import { sweepLeftovers } from '../sandbox/sweep.ts'
import { temporaryFolderFault } from '../sandbox/temporary-folder.ts'
import { rowNames } from '../schema/agent-set.ts'
import { defaultComparison } from '../schema/comparison-plan.ts'
import type { RunManifest } from '../schema/run.ts'
import type { Task } from '../schema/task.ts'
import { saveArtifacts } from './artifacts.ts'
import { parseBudgets, withGiven } from './budget-options.ts'
import { resumedDevProblems } from './dev-agents.ts'
import { conditionProblems, failedConditions, parseConditions } from './fail-if.ts'
import { atItsOrigin, type Given, givenOptions } from './given-options.ts'
import { lacking } from './live-part.ts'
import { resolveRun } from './new-run.ts'
import { oneOf } from './one-of.ts'
import { findRunFolder } from './open-run.ts'
import { readyOutput } from './output-file.ts'
import { reopenRun } from './reopen.ts'
import { saveRequest } from './request-task.ts'
import { resumeProblems, withoutResume } from './resume-options.ts'
import { parseEndBlocked, type RunOptions } from './run-options.ts'
import { markOrigin } from './run-origin.ts'
import { redactGiven, secretsOfRun, unsetSecret } from './run-secrets.ts'
import { admitRun, chosenSandbox } from './sandbox-option.ts'
import { createSession } from './session.ts'
import type { SettledWatch } from './settled-watch.ts'
import { reportOf } from './summary-of.ts'
import { namesCode } from './trust-code.ts'
import { wholeNumber } from './whole-number.ts'

const manyFolders = 50

/** What became of a run in this session. */
export interface ExecutedRun {
  folder: string
  manifest: RunManifest
  end: WorkEnd
  /** Over all records so far. */
  report: Report
  /** Conditions of `--fail-if` that hold. */
  held: HeldCondition[]
}

/** Begins or resumes a run, works it off, and sums it up; writes summary.md when it is whole. */
export async function executeRun(
  flags: RunOptions,
  tools: { signal: AbortSignal; onEvent(event: RunEvent): void },
): Promise<ExecutedRun> {
  const given = givenOptions(flags)
  const letGo = holdWatch()
  try {
    return await execute(given, tools)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => atItsOrigin(given, problem)))
  } finally {
    letGo()
  }
}

async function execute(
  plain: Given,
  tools: { signal: AbortSignal; onEvent(event: RunEvent): void },
): Promise<ExecutedRun> {
  const { redact, unsuitable, unset } = secretsOfRun(plain.options.secret ?? [])
  const given = redact ? redactGiven(plain, redact) : plain
  const { options } = given
  const onWarning = (message: string) =>
    tools.onEvent({ type: 'warning', message: redact ? redact.text(message) : message })
  const onEvent = (event: RunEvent) =>
    event.type === 'warning' ? onWarning(event.message) : tools.onEvent(event)
  const problems: Problem[] = unset.map((name) => unsetSecret(name, plain.config))
  if (unsuitable.length > 0) onWarning(`too short or too common to be redacted: ${unsuitable.join(', ')}`)
  const parallel = wholeNumber(problems, '--parallel', options.parallel, availableParallelism())
  const approvals =
    oneOf(problems, '--approve', options.approve, ['yes', 'abort'], 'yes') === 'yes' ? 'approved' : 'abort'
  const endMs = parseEndBlocked(problems, options.endBlocked)
  if (endMs !== undefined) endBlockedAfter(endMs)
  const conditions = parseConditions(options.failIf, problems)
  readyOutput(problems, '--junit', options.junit, { begun: options.out })
  readyOutput(problems, '--step-summary', options.stepSummary, { begun: options.out, isAdded: true })
  problems.push(...withoutResume(options))
  const sandbox = chosenSandbox(problems, options)
  const fault = temporaryFolderFault()
  if (fault?.full) onWarning(`${fault.missing}, so that code cannot be run. ${fault.remedy}`)
  else if (fault) problems.push({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  const swept = fault && !fault.full ? 0 : await sweepLeftovers()
  // On a machine with many runs some are killed every minute: a few folders are nobody's news.
  if (swept >= manyFolders) onWarning(`removed ${swept} folders of your runs that were killed earlier`)
  const { session, manifest } = options.resume !== undefined ? await resume(options.resume) : await begin()
  const watch = await watchOf(session.folder, manifest)
  const end = await work(session, {
    parallel,
    ...(options.retryErrors && { retryErrors: true }),
    ...(options.keepGoing && { keepGoing: true }),
    signal: tools.signal,
    onEvent,
    ...(watch && { onRecord: watch.add, isSettled: watch.isSettled }),
    ...(manifest.request && {
      onFinished(finished) {
        const save = () => saveArtifacts(session.folder, finished)
        for (const note of storing(join(session.folder, 'artifacts'), save)) onWarning(note)
      },
    }),
  })
  const report = await reportOf(session.folder, manifest)
  if (!end.interrupted) {
    const path = join(session.folder, 'summary.md')
    const text = formats.markdown.render(report, { tasks: true })
    storing(path, () => writeFileSync(path, text))
  }
  const held = end.interrupted
    ? []
    : failedConditions(conditions, report.summary, report.comparison?.comparison ?? null)
  return { folder: session.folder, manifest, end, report, held }

  async function begin() {
    const { warnings, manifest, folder, asked, ...parts } = await resolveRun(given, problems, conditions, {
      redact,
      sandbox,
      signal: tools.signal,
      onWarning,
    })
    for (const warning of warnings) onWarning(warning)
    await admit(asked, parts.tasks)
    const [task] = parts.tasks
    createRunFolder(folder, manifest, (folder) => manifest.request && task && saveRequest(folder, task))
    if (namesCode(manifest)) storing(join(folder, 'origin'), () => markOrigin(folder))
    const session = createSession(folder, manifest, {
      ...parts,
      approvals,
      redact,
      sandbox: sandbox.run,
      budgets: manifest.budgets,
    })
    return { session, manifest }
  }

  async function resume(run: string) {
    refuseHeldFolder(findRunFolder(run), { takeOver: options.takeOver === true })
    problems.push(...resumeProblems(options))
    const given = parseBudgets(problems, options)
    if (problems.length > 0) throw new UserError(problems)
    if (options.takeOver) await removeForeignLock(findRunFolder(run))
    if (options.repair)
      for (const note of repairNotes(await repairRunFolder(findRunFolder(run)))) onWarning(note)
    const { session, manifest, agents } = await reopenRun(run, {
      approvals,
      sandbox,
      signal: tools.signal,
      secrets: options.secret ?? [],
      trusted: options.trustCode === true,
      onWarning,
    })
    if (manifest.mode === 'dev') problems.push(...resumedDevProblems(session.folder, agents))
    if (problems.length > 0) throw new UserError(problems)
    const missing = secretsOfRun(manifest.secrets ?? []).unset
    if (missing.length > 0)
      onWarning(
        `not set now, but redacted when this run began: ${missing.join(', ')}. Where a text holds such a value, it is sent and kept as it is`,
      )
    const labels = manifest.methods.map(({ label }) => label)
    problems.push(
      ...conditionProblems(conditions, {
        ...manifest,
        labels: rowNames(manifest),
        comparison: manifest.comparison ?? defaultComparison,
      }),
    )
    const gone = lostSessions(session.folder)
    if (gone !== undefined) onWarning(gone)
    const before = readSessions(session.folder).at(-1)?.budgets ?? manifest.budgets ?? noBudgets
    const budgets = withGiven(problems, before, given, labels)
    problems.push(...(await lacking([...agents.values()])))
    if (problems.length > 0) throw new UserError(problems)
    await admit(session.asked, session.tasks.values())
    return { session: { ...session, budgets }, manifest }
  }

  async function admit(agents: readonly Agent[], tasks: Iterable<Task>) {
    const warning = await admitRun(sandbox, { agents, tasks })
    if (warning !== undefined) onWarning(warning)
  }
}

async function watchOf(folder: string, manifest: RunManifest): Promise<SettledWatch | undefined> {
  const { comparison } = manifest
  if (!comparison?.stop) return undefined
  const { settledWatch } = await import('./settled-watch.ts')
  return settledWatch(folder, manifest, { ...comparison, stop: comparison.stop })
}
