import type {
  Comparison,
  Interaction,
  PairComparison,
  PairSensitivity,
  Spent,
} from '../../analysis/compare/comparison.ts'
import type { PropertyRow } from '../../analysis/compare/property-results.ts'
import type { Ratio } from '../../analysis/ratios/ratio.ts'
import { type PaperColumn, paperEstimate, paperNumber, paperWords } from '../tables/paper-columns.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { setsWord } from '../tables/task-columns.ts'
import { present, ratioRange, unknown } from '../words/numbers.ts'
import {
  appendReason,
  confidenceName,
  decimalsOf,
  formatDifference,
  formatP,
  formatRefusal,
  levelOf,
} from '../words/result-text.ts'
import { pairedText, pairName, pairNames, pText } from './pair-columns.ts'

/** Returns the columns of the table of spending: that of the first method of a pair relative to the second. */
export function spendingColumns(comparison: Comparison): ColumnOf<PairComparison>[] {
  const level = confidenceName(comparison)
  const unit = `[${level}]`
  const limits = `${level} limits`
  const spending = (
    key: string,
    heading: string,
    spent: Spent,
    paper: readonly PaperColumn<PairComparison>[] = [],
  ) =>
    textColumn<PairComparison>(
      key,
      [heading, unit],
      'spending',
      (pair) => relativeText(pair.spent[spent].ratio),
      paper,
    )
  const inPaper = (key: string, heading: string, spent: Spent) => {
    const of = (pair: PairComparison) => pair.spent[spent].ratio
    const ratio = (pair: PairComparison) => ({ ...of(pair), estimate: of(pair).ratio })
    const refusal = (pair: PairComparison) => of(pair).refusal
    return paperEstimate(key, [heading, 'ratio', limits], ratio, { scale: 1, decimals: () => 2, refusal })
  }
  return [
    labelColumn('pair', 'pair', pairName, pairNames),
    simulatedColumn(comparison),
    spending('tokens_text', 'tokens', 'tokens', inPaper('tokens', 'Tokens', 'tokens')),
    spending('cost_text', comparison.simulated ? 'cost' : 'list price', 'costUsd', [
      ...inPaper('cost', 'Cost', 'costUsd'),
      ...paperEstimate<PairComparison>(
        'success',
        ['Diff.', 'points', limits],
        ({ spent }) => spent.tokens.success,
        { optional: [true, true] },
      ),
    ]),
    ...(comparison.recorded ? [] : [spending('time_text', 'time', 'durationMs')]),
    textColumn('success_price_text', ['cost per success', unit], 'spending', ({ costPerSuccess }) =>
      relativeText(costPerSuccess),
    ),
  ]
}

function relativeText(ratio: Ratio): string {
  return ratio.ratio === null
    ? formatRefusal(ratio.refusal)
    : appendReason(ratioRange(ratio), ratio, ratio.refusal)
}

/** Returns the columns of the table of interactions: how the difference of two methods differs between two sets of agents. */
export function interactionColumns(comparison: Comparison): ColumnOf<Interaction>[] {
  const level = confidenceName(comparison)
  const sets = setsWord(comparison.methods)
  return [
    labelColumn('pair', 'pair', pairName, pairNames),
    labelColumn('agents', sets, agentsName, [
      paperWords('agents', sets === 'agents' ? 'Agents' : 'Wording', agentsName, 'name'),
    ]),
    simulatedColumn(comparison),
    textColumn('tasks_text', ['tasks', 'paired'], 'outcome', pairedText, [
      paperNumber('tasks', ['Tasks', ''], ({ nTasks }) => String(nTasks)),
    ]),
    textColumn(
      'difference_text',
      [`${comparison.outcome}, difference of differences`, `points [${level}]`],
      'outcome',
      (row) => formatDifference(row, { scale: 100, decimals: decimalsOf(row) }),
      paperEstimate('difference', ['Diff.', 'points', `${level} limits`], (row) => row),
    ),
    dataColumn('a', '', ({ a }) => a),
    dataColumn('b', '', ({ b }) => b),
    dataColumn('first', '', ({ first }) => first),
    dataColumn('second', '', ({ second }) => second),
    dataColumn('tasks', '', ({ nTasks }) => nTasks),
    dataColumn('difference', 'share', ({ estimate }) => estimate),
    dataColumn('difference_lower', 'share', ({ lower }) => lower),
    dataColumn('difference_upper', 'share', ({ upper }) => upper),
  ]
}

/** Returns `X than Y`: the difference of the methods with agents X minus that with agents Y. */
const agentsName = ({ first, second }: Interaction): string => `${first} than ${second}`

/** Returns the columns of the table of properties: the difference of a pair on tasks with lower and with higher values. */
export function propertyColumns(comparison: Comparison): ColumnOf<PropertyRow>[] {
  const level = confidenceName(comparison)
  const { outcome } = comparison
  const spent = spentOfProperties(comparison)
  const points = (
    key: 'lower' | 'higher' | 'change',
    heading: string,
    [name, isOptional]: readonly [string, boolean],
    decimals: (row: PropertyRow) => number = () => 1,
  ) =>
    textColumn<PropertyRow>(
      `${key}_text`,
      [heading, `points [${level}]`],
      key,
      (row) => formatDifference(row[key], { scale: 100, decimals: decimals(row) }),
      paperEstimate(key, [name, 'points', `${level} limits`], (row) => row[key], {
        optional: [false, isOptional],
      }),
    )
  return present([
    labelColumn('property', 'property', propertyNames, [
      paperWords('property', 'Property', propertyNames, 'name'),
    ]),
    labelColumn('pair', 'pair', pairName, pairNames),
    simulatedColumn(comparison),
    points('lower', `${outcome}, lower values`, ['Lower', true]),
    points('higher', `${outcome}, higher values`, ['Higher', true]),
    points('change', 'change', ['Change', false], ({ change }) => decimalsOf(change)),
    hasPropertyP(comparison) &&
      textColumn<PropertyRow>(
        'p_text',
        ['p', `Holm, m=${propertyTests(comparison)}`],
        'change',
        (row) => pText(row, levelOf(comparison)),
        [paperNumber('p', ['p', ''], (row) => pText(row))],
      ),
    textColumn(
      'spent_text',
      [`${spent === 'tokens' ? 'tokens' : 'cost'}, change`, `[${confidenceName(comparison)}]`],
      'spent',
      (row) => relativeText(row.spent[spent].change),
    ),
    ...propertyData,
  ])
}

/** Names the property of a row, and those that say the same. */
const propertyNames = ({ property, alike }: PropertyRow): string => [property, ...alike].join(', ')

/** Returns what the table compares: cost, or tokens where a cost is unknown. */
export function spentOfProperties({ byProperty = [] }: Comparison): 'tokens' | 'costUsd' {
  return byProperty.every(({ spent }) => spent.costUsd.change.ratio !== null) ? 'costUsd' : 'tokens'
}

/** Whether some row has a p, or a reason for none that is about the row. */
export const hasPropertyP = ({ byProperty = [], silence }: Comparison): boolean =>
  silence === null && byProperty.length > 0

/** Returns the number of tests that are adjusted together. */
export const propertyTests = ({ byProperty = [] }: Comparison): number =>
  byProperty.filter(({ p }) => p !== null).length

const propertyData: readonly ColumnOf<PropertyRow>[] = [
  dataColumn('a', '', ({ a }) => a),
  dataColumn('b', '', ({ b }) => b),
  dataColumn('unstated_tasks', '', ({ nUnstated }) => nUnstated),
  ...(['lower', 'higher'] as const).flatMap((side): ColumnOf<PropertyRow>[] => [
    dataColumn(`${side}_tasks`, '', (row) => row[side].nTasks),
    dataColumn(`${side}_from`, '', (row) => row[side].from),
    dataColumn(`${side}_to`, '', (row) => row[side].to),
    dataColumn(`${side}_difference`, 'share', (row) => row[side].estimate),
    dataColumn(`${side}_difference_lower`, 'share', (row) => row[side].lower),
    dataColumn(`${side}_difference_upper`, 'share', (row) => row[side].upper),
  ]),
  dataColumn('change', 'share', ({ change }) => change.estimate),
  dataColumn('change_lower', 'share', ({ change }) => change.lower),
  dataColumn('change_upper', 'share', ({ change }) => change.upper),
  dataColumn('p', '', ({ p }) => p),
  dataColumn('p_adjusted', '', ({ adjustedP }) => adjustedP),
  dataColumn('no_p', '', ({ refusal }) => refusal),
  ...(['tokens', 'costUsd'] as const).flatMap((spent) => {
    const name = spent === 'tokens' ? 'tokens' : 'cost'
    return [
      dataColumn<PropertyRow>(`${name}_lower_ratio`, '', (row) => row.spent[spent].lower.ratio),
      dataColumn<PropertyRow>(`${name}_higher_ratio`, '', (row) => row.spent[spent].higher.ratio),
      dataColumn<PropertyRow>(`${name}_change`, '', (row) => row.spent[spent].change.ratio),
      dataColumn<PropertyRow>(`${name}_change_lower`, '', (row) => row.spent[spent].change.lower),
      dataColumn<PropertyRow>(`${name}_change_upper`, '', (row) => row.spent[spent].change.upper),
    ]
  }),
]

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
