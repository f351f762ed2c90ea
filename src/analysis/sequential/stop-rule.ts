import type { StopRule } from '../../schema/run/comparison-plan.ts'
import { meanOf, roundOffNoise } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import {
  asymptoticConfidenceSequence,
  asymptoticP,
  empiricalBernsteinSequence,
  mcnemarEProcess,
  rhoFor,
} from './confidence-sequences.ts'

/** Result of a stop rule for one comparison after its finished tasks. */
export interface InterimLook {
  tasks: number
  /** The first look, in tasks, at which a difference was settled; null: not yet. */
  settledAt: number | null
  /** Mean difference so far. At an early stop it is too extreme. */
  estimate: number | null
  /** Centre of the limits, which weighs tasks by bets under `empirical-bernstein`; null without limits. */
  centre: number | null
  /** The current limits; `mcnemar` has none. */
  lower: number | null
  upper: number | null
  /** p-value that is valid at every look; null if the sequence has none. */
  pAnytime: number | null
  refusal: Refusal | null
}

/** The asymptotic sequence makes its first look after this number of tasks. */
const firstAsymptotic = 30

/**
 * Applies the rule to one comparison after every finished task. `differences` are A - B of task means, in [-1, 1], one for
 * each task with all epochs of both methods, in the random order of the run.
 */
export function takeLook(differences: readonly number[], rule: StopRule): InterimLook {
  const values = roundOffNoise(differences)
  const alpha = rule.alpha / rule.comparisons
  const none = {
    tasks: values.length,
    settledAt: null,
    estimate: null,
    centre: null,
    lower: null,
    upper: null,
  }
  if (values.length === 0) return { ...none, pAnytime: null, refusal: 'not-yet' }
  switch (rule.sequence) {
    case 'mcnemar':
      return takeMcnemarLook(values, alpha)
    case 'empirical-bernstein':
      return takeBernsteinLook(values, alpha)
    case 'asymptotic':
      return values.length < firstAsymptotic
        ? { ...none, pAnytime: null, refusal: 'not-yet' }
        : takeAsymptoticLook(values, alpha, rhoFor(rule.hopedTasks, alpha))
  }
}

function takeMcnemarLook(values: readonly number[], alpha: number): InterimLook {
  const { pAnytime, stoppedAt } = mcnemarEProcess(values.map(Math.sign), 1, alpha)
  const estimate = meanOf(values)
  return {
    tasks: values.length,
    settledAt: stoppedAt,
    estimate,
    centre: null,
    lower: null,
    upper: null,
    pAnytime,
    refusal: null,
  }
}

function takeBernsteinLook(values: readonly number[], alpha: number): InterimLook {
  const shares = values.map((value) => (value + 1) / 2)
  const at = (tasks: number) => {
    const { center, lower, upper } = empiricalBernsteinSequence(shares.slice(0, tasks), alpha)
    return { centre: 2 * (center as number) - 1, lower: 2 * lower - 1, upper: 2 * upper - 1 }
  }
  const settledAt = findFirstSettled(1, values.length, at)
  const look = { tasks: values.length, settledAt, estimate: meanOf(values), ...at(values.length) }
  return { ...look, pAnytime: null, refusal: null }
}

function takeAsymptoticLook(values: readonly number[], alpha: number, rho: number): InterimLook {
  const at = (tasks: number) => asymptoticConfidenceSequence(values.slice(0, tasks), alpha, rho)
  const settledAt = findFirstSettled(firstAsymptotic, values.length, at)
  let pAnytime = 1
  for (let tasks = firstAsymptotic; tasks <= values.length; tasks++)
    pAnytime = Math.min(pAnytime, asymptoticP(values.slice(0, tasks), rho))
  const last = at(values.length)
  return {
    tasks: values.length,
    settledAt,
    ...last,
    centre: last.lower === null ? null : last.estimate,
    pAnytime,
  }
}

function findFirstSettled(
  first: number,
  last: number,
  at: (tasks: number) => { lower: number | null; upper: number | null },
): number | null {
  for (let tasks = first; tasks <= last; tasks++) {
    const { lower, upper } = at(tasks)
    if ((lower !== null && lower > 0) || (upper !== null && upper < 0)) return tasks
  }
  return null
}
