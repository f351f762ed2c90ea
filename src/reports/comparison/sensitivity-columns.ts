import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { PairSensitivity } from '../../analysis/compare/other-procedures.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { unknown } from '../words/numbers.ts'
import { labelColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { formatDifference, formatP, formatRefusal, levelOf } from './result-text.ts'

/** A pair with results of other procedures. */
type SensitivityRow = PairComparison & { sensitivity: PairSensitivity }

/** Returns the pairs with results of other procedures. */
export const sensitivityRows = ({ pairs }: Comparison): SensitivityRow[] =>
  pairs.flatMap((pair) => (pair.sensitivity ? [{ ...pair, sensitivity: pair.sensitivity }] : []))

/** Returns the columns of the table of other procedures. */
export function sensitivityColumns(comparison: Comparison): ColumnOf<SensitivityRow>[] {
  const level = confidenceName(comparison)
  const points = (estimate: number | null, limits: { lower: number | null; upper: number | null }) =>
    formatDifference({ ...limits, estimate }, { scale: 100, decimals: 1 })
  return [
    labelColumn('pair', 'pair', pairName),
    textColumn(
      'bootstrap_text',
      ['bootstrap', `points [${level}]`],
      'bootstrap',
      ({ outcome, sensitivity }) => points(outcome.estimate, sensitivity.bootstrap),
    ),
    textColumn(
      'bca_text',
      ['BCa', `points [${level}]`],
      'bootstrap',
      ({ outcome, sensitivity: { bootstrap } }) =>
        bootstrap.bca?.refusal === null
          ? points(outcome.estimate, bootstrap.bca)
          : formatRefusal(bootstrap.bca?.refusal ?? null),
    ),
    textColumn('pseudomedian_text', ['pseudomedian', `points [${level}]`], 'ranks', ({ sensitivity }) =>
      points(sensitivity.pseudomedian.estimate, sensitivity.pseudomedian),
    ),
    textColumn('wilcoxon_text', ['p', 'signed ranks'], 'ranks', ({ sensitivity: { wilcoxon } }) => {
      const p = wilcoxon?.pExact ?? wilcoxon?.pNormal ?? null
      return p === null ? formatRefusal('too-few-tasks') : formatP(p, levelOf(comparison))
    }),
    textColumn('cliff_text', ["Cliff's", 'delta'], 'ranks', ({ sensitivity: { cliffsDelta } }) =>
      cliffsDelta === null ? unknown : cliffsDelta.toFixed(2),
    ),
  ]
}
