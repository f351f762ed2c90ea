import { formatProblem, type Problem } from '../errors.ts'
import { safeLine } from '../reports/safe-text.ts'
import type { ExecutedRun } from './execute.ts'
import { readyOutput } from './output-file.ts'
import type { RunOptions } from './run-options.ts'
import { tellError } from './tell-error.ts'
import { tellNote } from './tell-note.ts'

/**
 * What keeps the tables out of the step's summary that GITHUB_STEP_SUMMARY names. No flag asked for it, so it is told
 * and stops nothing: the run is worth more than its summary.
 */
export function summaryFault({ stepSummary, out }: RunOptions): string | undefined {
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
export async function tellCi(
  options: RunOptions,
  { folder, manifest, report, held }: Pick<ExecutedRun, 'folder' | 'manifest' | 'report' | 'held'>,
): Promise<number> {
  const { junit, stepSummary } = options
  const written = [
    await attempt(async () => {
      if (junit === undefined) return
      const { writeJUnit } = await import('./junit-file.ts')
      writeJUnit(junit, folder, manifest, report.summary)
    }, tellError),
    await attempt(
      async () => {
        const path = stepSummary ?? process.env.GITHUB_STEP_SUMMARY
        if (!path) return
        // A run's own file may have come to stand there since.
        const fault = summaryFault(options)
        if (fault !== undefined) return tellNote(fault)
        const { addStepSummary } = await import('./step-summary-file.ts')
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
    const { annotation } = await import('./step-summary-file.ts')
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
