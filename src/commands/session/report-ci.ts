import { appendFileSync, existsSync, statSync } from 'node:fs'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { renderStepSummary } from '../../reports/formats/markdown.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { formatProblem, type Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { writeJUnit } from '../report/report-files.ts'
import { checkOutputFile } from '../terminal/output-file.ts'
import { reportError, reportNote } from '../terminal/report-error.ts'
import type { ExecutedRun } from './execute.ts'

/**
 * Returns why the tables cannot be added to the step summary that GITHUB_STEP_SUMMARY names; undefined if they can. This is
 * only a note, since no flag asked for the summary.
 */
export function stepSummaryProblem({
  stepSummary,
  out,
}: Pick<RunOptions, 'stepSummary' | 'out'>): string | undefined {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (stepSummary !== undefined || !path) return undefined
  const problems: Problem[] = []
  checkOutputFile(problems, 'GITHUB_STEP_SUMMARY', path, { begun: out, isAdded: true })
  const [problem] = problems
  return problem && notAdded(formatProblem(problem))
}

const notAdded = (why: string) => `cannot add the tables to the step summary: ${why}`

/**
 * Writes what CI systems read: the JUnit file, the step summary, and an annotation for each true condition. A failure is
 * reported and does not stop the others. Returns the exit code of a failed output that a flag asked for, else 0.
 */
export async function reportToCi(
  options: RunOptions,
  { folder, manifest, report, held }: Pick<ExecutedRun, 'folder' | 'manifest' | 'report' | 'held'>,
): Promise<number> {
  const { junit } = options
  const written = [
    await reportFailure(async () => {
      if (junit === undefined) return
      writeJUnit(junit, folder, manifest, report.summary)
    }, reportError),
    manifest.shard ? 0 : await addStepSummary(options, (room) => renderStepSummary(report, held, room)),
  ]
  for (const { text, value } of held) annotate('error', 'bench --fail-if', `${text} (it is ${value})`)
  return Math.max(...written)
}

async function reportFailure(write: () => Promise<void>, onError: (error: Error) => number): Promise<number> {
  try {
    await write()
    return 0
  } catch (error) {
    return onError(error as Error)
  }
}

/** GitHub's size limit of a step summary, for all commands of the step. */
const mostBytes = 1024 * 1024

/**
 * Adds a text to the summary of a CI step: to the file of `--step-summary`, or else of GITHUB_STEP_SUMMARY. `render` gets the bytes that
 * are left. Returns the exit code: a failure counts if a flag named the file.
 */
export function addStepSummary(
  options: Pick<RunOptions, 'stepSummary' | 'out'>,
  render: (mostBytes: number) => string,
): Promise<number> {
  const { stepSummary } = options
  return reportFailure(
    async () => {
      const path = stepSummary ?? process.env.GITHUB_STEP_SUMMARY
      if (!path) return
      // The path may have become a file of a run since the start.
      const fault = stepSummaryProblem(options)
      if (fault !== undefined) return reportNote(fault)
      const before = existsSync(path) ? statSync(path).size : 0
      withStorageErrors(path, () => appendFileSync(path, render(mostBytes - before)))
    },
    (error) => {
      if (stepSummary !== undefined) return reportError(error)
      reportNote(notAdded(error.message))
      return 0
    },
  )
}

/** Writes an annotation for GitHub Actions to stderr, where that runs the command. Escaped as its toolkit does. */
export function annotate(kind: 'error' | 'warning', title: string, message: string): void {
  if (process.env.GITHUB_ACTIONS !== 'true') return
  const inTitle = inCommand(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  process.stderr.write(`${safeLine(`::${kind} title=${inTitle}::${inCommand(message)}`)}\n`)
}

const inCommand = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
