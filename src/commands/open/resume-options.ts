import type { Problem } from '../../text/errors.ts'
import { isSet } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'

const fixed = [
  'tasks',
  'skipInvalid',
  'tag',
  'where',
  'sample',
  'methods',
  'agents',
  'agent',
  'mode',
  'dev',
  'tools',
  'toolTurns',
  'allowProviderTools',
  'profile',
  'prices',
  'epochs',
  'seed',
  'limit',
  'inject',
  'retries',
  'baseline',
  'family',
  'outcome',
  'margin',
  'calibration',
  'stopWhen',
  'matchBudget',
  'gradeCandidates',
  'out',
  'instruction',
  'workspace',
  'include',
] as const

const onlyWithResume = ['acceptChanges', 'retryErrors', 'takeOver', 'repair'] as const

/** Returns a problem for each given option that needs `--resume`, if that is missing. */
export function resumeOnlyProblems(options: RunOptions): Problem[] {
  if (options.resume !== undefined) return []
  return onlyWithResume
    .filter((option) => options[option])
    .map(flagOf)
    .map((flag) => ({ where: flag, what: 'requires --resume', fix: `Name the run: --resume RUN ${flag}.` }))
}

/** Returns a problem for each given option that is fixed when a run starts, so that `--resume` cannot change it. */
export function fixedOptionProblems(options: RunOptions): Problem[] {
  return fixed
    .filter((option) => isSet(options[option]))
    .map((option) => ({
      where: flagOf(option),
      what: 'conflicts with --resume',
      fix: 'A resumed run keeps its settings. Remove the option, or start a new run.',
    }))
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
