import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { type Alpha, krippendorffAlpha } from './krippendorff.ts'

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
