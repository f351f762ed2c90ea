import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { guardProcess } from '../terminal/guard-process.ts'
import { executeRun } from './execute.ts'

/** What a simulated pilot is made of, as `bench run` takes it. */
export type PilotOptions = Pick<
  RunOptions,
  'tasks' | 'methods' | 'profile' | 'seed' | 'baseline' | 'family' | 'outcome' | 'config'
>

const described = ['tasks', 'methods', 'profile', 'seed', 'baseline', 'family', 'outcome'] as const

/** Epochs that tell noise within tasks from differences between them well enough to plan by. */
const pilotEpochs = 10

/** What is wrong with a pilot that is either a run, or described to be simulated. */
export function pilotProblems(run: string | undefined, options: PilotOptions): Problem[] {
  const given = described.filter((option) => options[option] !== undefined)
  if (run === undefined)
    return given.length > 0
      ? []
      : [
          {
            where: 'bench power',
            what: 'has nothing to plan by',
            fix: 'Name a run, or describe one to be simulated: bench power --tasks all --methods A,B.',
          },
        ]
  return given.map((option) => ({
    where: `--${option}`,
    what: `is for a simulated pilot, and ${run} is a run`,
    fix: 'Leave one of them out.',
  }))
}

/**
 * Plays the described run with simulated agents, and hands its folder to `use` before it is removed. Gives the exit code: that of
 * `use`, 130 when interrupted, 1 when the user's code broke it. Throws `UserError` like `bench run`.
 */
export async function withPilot(options: PilotOptions, use: (folder: string) => number): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'bench-pilot-'))
  const abort = new AbortController()
  const guard = guardProcess(abort)
  try {
    const asked = Object.fromEntries(described.map((option) => [option, options[option]]))
    const { folder, end } = await executeRun(
      { ...asked, dev: true, epochs: String(pilotEpochs), out: join(temporary, 'run') },
      { signal: abort.signal, onEvent: () => {} },
    )
    if (guard.broken) return 1
    return end.interrupted ? 130 : use(folder)
  } finally {
    guard.end()
    rmSync(temporary, { recursive: true, force: true })
  }
}
