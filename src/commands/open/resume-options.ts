import type { Problem } from '../../text/errors.ts'
import { isGiven } from '../config/given-options.ts'
import type { RunOptions } from '../config/run-options.ts'

const fixed = [
  'tasks',
  'methods',
  'agents',
  'agent',
  'mode',
  'dev',
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

const onlyWithResume = ['retryErrors', 'takeOver', 'repair', 'trustCode'] as const

/** Problems of options that only a run that has begun can be asked for. */
export function resumeOnlyProblems(options: RunOptions): Problem[] {
  if (options.resume !== undefined) return []
  return onlyWithResume
    .filter((option) => options[option])
    .map(flagOf)
    .map((flag) => ({ where: flag, what: 'needs --resume', fix: `Name the run: --resume RUN ${flag}.` }))
}

/** Problems of settings that a run was begun with: they cannot be given again. */
export function fixedOptionProblems(options: RunOptions): Problem[] {
  return fixed
    .filter((option) => isGiven(options[option]))
    .map((option) => ({
      where: flagOf(option),
      what: 'does not go with --resume',
      fix: 'A run goes on as it was begun; begin another one for other settings.',
    }))
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
