import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { midranks } from '../numeric/moments.ts'

/** The scores of one criterion, and how far the auditors agree. */
export interface CriterionScores extends Alpha {
  criterion: string
  auditors: number
  scores: number
  mean: number
  /** Mean over the outputs that several auditors scored of the highest score minus the lowest; null: no such output. */
  spread: number | null
}

/** One score; `unit` names what was scored: the auditors of one unit saw the same output. */
export interface UnitScore {
  unit: string
  auditor: string
  criterion: string
  score: number
}

/** Returns a record's scores. `trial` keeps units of several trials apart. */
export function scoresOf({ scores }: Pick<MachineRecord, 'scores'>, trial = ''): UnitScore[] {
  return scores.map(({ state, visit, target, ...rest }) => ({
    unit: JSON.stringify([trial, state, visit, target]),
    auditor: rest.auditor,
    criterion: rest.criterion,
    score: rest.score,
  }))
}

/** Returns mean, spread and agreement by criterion, in the order of the first score. */
export function agreementByCriterion(scores: readonly UnitScore[]): CriterionScores[] {
  const criteria = [...new Set(scores.map(({ criterion }) => criterion))]
  return criteria.map((criterion) => {
    const own = scores.filter((one) => one.criterion === criterion)
    const units = new Map<string, number[]>()
    for (const { unit, score } of own) units.set(unit, [...(units.get(unit) ?? []), score])
    const several = [...units.values()].filter((values) => values.length > 1)
    const spreads = several.map((values) => Math.max(...values) - Math.min(...values))
    return {
      criterion,
      auditors: new Set(own.map(({ auditor }) => auditor)).size,
      scores: own.length,
      mean: meanOf(own.map(({ score }) => score)),
      spread: spreads.length === 0 ? null : meanOf(spreads),
      ...krippendorffAlpha([...units.values()]),
    }
  })
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Agreement of raters. `alpha` is null where it has no value: `because` says why. */
export interface Alpha {
  alpha: number | null
  /** Units with at least two values, and their values. */
  units: number
  values: number
  because: 'no-pairs' | 'no-variation' | null
}

/** How far apart two values are: equal or not, by rank, or by size. */
export type Metric = 'nominal' | 'ordinal' | 'interval'

/**
 * Returns Krippendorff's alpha, by default with the interval metric: 1 is perfect agreement, 0 what chance gives, below 0 is systematic
 * disagreement. Each unit holds the values that its raters gave; a rater may leave units out. Source: Krippendorff, "Computing
 * Krippendorff's Alpha-Reliability" (2011), with the coincidences written as sums over pairs of values. The ordinal difference of two
 * values is the difference of their middle ranks among all paired values, which is that paper's sum of counts.
 */
export function krippendorffAlpha(
  ratings: readonly (readonly number[])[],
  metric: Metric = 'interval',
): Alpha {
  const units = ratings.filter((values) => values.length > 1)
  const all = units.flat()
  const counts = { units: units.length, values: all.length }
  if (units.length === 0) return { alpha: null, ...counts, because: 'no-pairs' }
  const ranks = metric === 'ordinal' ? midranks(all) : []
  const rank = new Map(ranks.map((one, place) => [all[place] as number, one]))
  const differences = (values: readonly number[]) =>
    metric === 'nominal'
      ? unequalPairs(values)
      : squaredDifferences(values.map((value) => rank.get(value) ?? value))
  const expected = differences(all) / (all.length * (all.length - 1))
  if (expected === 0) return { alpha: null, ...counts, because: 'no-variation' }
  const observed =
    units.reduce((sum, values) => sum + differences(values) / (values.length - 1), 0) / all.length
  return { alpha: 1 - observed / expected, ...counts, because: null }
}

/** Returns the sum of squared differences over all ordered pairs. Counting from the first value makes it exactly 0 for equal ones. */
function squaredDifferences(values: readonly number[]): number {
  const [first = 0] = values
  const shifted = values.map((value) => value - first)
  const sum = shifted.reduce((total, value) => total + value, 0)
  const squares = shifted.reduce((total, value) => total + value * value, 0)
  return Math.max(0, 2 * (values.length * squares - sum * sum))
}

function unequalPairs(values: readonly number[]): number {
  const equal = [...countsOf(values).values()].reduce((sum, count) => sum + count * count, 0)
  return values.length ** 2 - equal
}

function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
