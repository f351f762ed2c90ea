import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Problem, UserError } from '../errors.ts'
import type { RunEvent } from '../loop/events.ts'
import { type WorkEnd, work } from '../loop/work.ts'
import { formats } from '../reports/registry.ts'
import { createReport, type Report } from '../reports/report.ts'
import type { RunManifest } from '../schema/run.ts'
import { saveArtifacts } from './artifacts.ts'
import { createRun } from './new-run.ts'
import { reopenRun } from './reopen.ts'
import { oneOf, type RunOptions, wholeNumber } from './run-options.ts'
import { createSession } from './session.ts'
import { reportOf, summaryBuilder } from './summary-of.ts'

/** What became of a run in this session. */
export interface ExecutedRun {
  folder: string
  manifest: RunManifest
  end: WorkEnd
  /** Over all records so far. */
  report: Report
}

/** Begins or resumes a run, works it off, and sums it up; writes summary.md when it is whole. */
export async function executeRun(
  options: RunOptions,
  tools: { signal: AbortSignal; onEvent(event: RunEvent): void },
): Promise<ExecutedRun> {
  const onWarning = (message: string) => tools.onEvent({ type: 'warning', message })
  const problems: Problem[] = []
  const parallel = wholeNumber(problems, '--parallel', options.parallel, availableParallelism())
  const approvals =
    oneOf(problems, '--approve', options.approve, ['yes', 'abort'], 'yes') === 'yes' ? 'approved' : 'abort'
  const { session, manifest } = options.resume !== undefined ? await resume(options.resume) : await begin()
  const summary = summaryBuilder(manifest)
  const end = await work(session, {
    parallel,
    signal: tools.signal,
    onEvent: tools.onEvent,
    onRecord: summary.add,
    ...(manifest.request && { onFinished: (finished) => saveArtifacts(session.folder, finished) }),
  })
  // Sums depend on the order of adding, and must not depend on which trial ended first.
  const report = end.inOrder
    ? createReport(summary.result(), { run: session.folder })
    : reportOf(session.folder, manifest)
  if (!end.interrupted)
    writeFileSync(join(session.folder, 'summary.md'), formats.markdown.render(report, { tasks: true }))
  return { folder: session.folder, manifest, end, report }

  async function begin() {
    const { folder, manifest, tasks, strategies, warnings } = await createRun(options, problems)
    for (const warning of warnings) onWarning(warning)
    return {
      session: await createSession(folder, manifest, { tasks, strategies, approvals, onWarning }),
      manifest,
    }
  }

  function resume(run: string) {
    const fixed = [
      'tasks',
      'methods',
      'agents',
      'mode',
      'dev',
      'profile',
      'epochs',
      'seed',
      'limit',
      'baseline',
      'out',
      'instruction',
      'workspace',
    ] as const
    for (const name of fixed)
      if (options[name] !== undefined)
        problems.push({
          where: `--${name}`,
          what: 'does not go with --resume',
          fix: 'A run goes on as it was begun; begin another one for other settings.',
        })
    if (options.agent?.length)
      problems.push({
        where: '--agent',
        what: 'does not go with --resume',
        fix: 'A run goes on as it was begun; begin another one for other settings.',
      })
    if (problems.length > 0) throw new UserError(problems)
    return reopenRun(run, { approvals, onWarning })
  }
}
