import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createResultMemory } from '../../graders/result-memory.ts'
import { flagOf, type SettingIn, settingsIn } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { guardProcess } from '../terminal/guard-process.ts'
import { createProgress, onlyProgress } from '../terminal/progress.ts'
import { executeRun } from './execute.ts'

/** The options of `bench run` that describe a simulated pilot. */
export type PilotOptions = Pick<RunOptions, SettingIn<'pilot'> | 'quiet'>

const described = settingsIn('pilot')

/** Enough epochs to separate noise within tasks from differences between tasks. */
const pilotEpochs = 10

/** Returns the problems of a pilot, which is either an existing run or a description to simulate. */
export function pilotProblems(run: string | undefined, options: PilotOptions): Problem[] {
  const given = described.filter((option) => options[option] !== undefined)
  if (run === undefined)
    return given.length > 0
      ? []
      : [
          {
            where: 'bench power',
            what: 'requires a run, or options that describe a simulated one',
            fix: 'Write bench power RUN, or for example bench power --tasks all --methods A,B.',
          },
        ]
  return given.map((option) => ({
    where: flagOf(option),
    what: `describes a simulated pilot, which conflicts with the run ${run}`,
    fix: 'Use one of them.',
  }))
}

/**
 * Runs the described pilot with simulated agents, calls `use` with its folder, and removes the folder. Returns the exit code of
 * `use`; 130 if interrupted, 1 if the user's code broke the pilot. Throws `UserError` like `bench run`.
 */
export async function withPilot(
  options: PilotOptions,
  use: (folder: string) => Promise<number>,
): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'bench-pilot-'))
  const abort = new AbortController()
  const progress = createProgress(process.stderr, options.quiet === true, 'to plan with')
  const guard = guardProcess(abort, progress)
  try {
    const asked = Object.fromEntries(described.map((option) => [option, options[option]]))
    const { folder, end } = await executeRun(
      { ...asked, dev: true, epochs: String(pilotEpochs), out: join(temporary, 'run') },
      { signal: abort.signal, memory: createResultMemory(), onEvent: onlyProgress(progress) },
    )
    progress.end()
    if (guard.broken) return 1
    return end.interrupted ? 130 : await use(folder)
  } finally {
    progress.end()
    guard.end()
    rmSync(temporary, { recursive: true, force: true })
  }
}
