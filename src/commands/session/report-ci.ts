import { appendFileSync, existsSync, statSync } from 'node:fs'
import { storing } from '../../loop/journal/storage.ts'
import { type HeldCondition, renderStepSummary } from '../../reports/formats/step-summary.ts'
import type { Report } from '../../reports/report.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { formatProblem, type Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { writeJUnit } from '../report/junit-file.ts'
import { readyOutput } from '../terminal/output-file.ts'
import { tellError, tellNote } from '../terminal/tell-error.ts'
import type { ExecutedRun } from './execute.ts'

/**
 * What keeps the tables out of the step's summary that GITHUB_STEP_SUMMARY names. No flag asked for it, so it is told
 * and stops nothing: the run is worth more than its summary.
 */
export function stepSummaryProblem({ stepSummary, out }: RunOptions): string | undefined {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (stepSummary !== undefined || !path) return undefined
  const problems: Problem[] = []
  readyOutput(problems, 'GITHUB_STEP_SUMMARY', path, { begun: out, isAdded: true })
  const [problem] = problems
  return problem && unadded(formatProblem(problem))
}

const unadded = (why: string) => `the tables are not added to the step's summary: ${why}`

/**
 * Writes what CI systems read: the JUnit file, the step's summary, an annotation for each condition that held. What fails is
 * told, and takes nothing else with it; the exit code of what a flag asked for and did not get, else 0.
 */
export async function reportToCi(
  options: RunOptions,
  { folder, manifest, report, held }: Pick<ExecutedRun, 'folder' | 'manifest' | 'report' | 'held'>,
): Promise<number> {
  const { junit, stepSummary } = options
  const written = [
    await attempt(async () => {
      if (junit === undefined) return
      writeJUnit(junit, folder, manifest, report.summary)
    }, tellError),
    await attempt(
      async () => {
        const path = stepSummary ?? process.env.GITHUB_STEP_SUMMARY
        if (!path) return
        // A run's own file may have come to stand there since.
        const fault = stepSummaryProblem(options)
        if (fault !== undefined) return tellNote(fault)
        addStepSummary(path, report, held)
      },
      (error) => {
        if (stepSummary !== undefined) return tellError(error)
        tellNote(unadded(error.message))
        return 0
      },
    ),
  ]
  if (process.env.GITHUB_ACTIONS === 'true' && held.length > 0) {
    for (const condition of held) process.stderr.write(`${safeLine(annotation(condition))}\n`)
  }
  return Math.max(...written)
}

async function attempt(write: () => Promise<void>, tell: (error: Error) => number): Promise<number> {
  try {
    await write()
    return 0
  } catch (error) {
    return tell(error as Error)
  }
}

/** What GitHub shows of a step's summary, all that its commands add together. */
const mostBytes = 1024 * 1024

/** Adds what a run came to to the summary of a CI step, as far as there is room. Throws `StorageError`. */
function addStepSummary(path: string, report: Report, held: readonly HeldCondition[]): void {
  const before = existsSync(path) ? statSync(path).size : 0
  storing(path, () => appendFileSync(path, renderStepSummary(report, held, mostBytes - before)))
}

/** A condition that held as an annotation, in the words of GitHub Actions. */
function annotation({ text, value }: HeldCondition): string {
  return `::error title=bench --fail-if::${inCommand(`${text} (it is ${value})`)}`
}

const inCommand = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
