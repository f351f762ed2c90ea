import type {
  Comparison,
  Interaction,
  MethodEstimates,
  PairComparison,
  SuiteRow,
} from '../../analysis/compare/comparison.ts'
import type { PropertyRow } from '../../analysis/compare/property-results.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { confoundedWith, detectableText, isConfounded } from '../comparison/pair-columns.ts'
import { agentsName, hasPropertyP } from '../comparison/pair-tables.ts'
import { decimalsFor, formatP, formatRefusal } from '../comparison/result-text.ts'
import { verdictWord } from '../screen/rows.ts'
import { nothing, unknown } from '../words/numbers.ts'
import { limitsText, percent, ratioText } from './latex-cells.ts'
import { capital, limitsHeading, name, number, words } from './latex-headings.ts'
import type { LatexColumn } from './latex-table.ts'

type PairColumn = LatexColumn<PairComparison>

const pairNames: LatexColumn<{ a: string; b: string }>[] = [
  { ...name('pair', 'Method'), cell: ({ a }) => a },
  { ...name('pair', 'Against'), cell: ({ b }) => b },
]

/** Returns the columns of the table of pairs. */
export function pairColumns(comparison: Comparison): PairColumn[] {
  const tested = comparison.pairs.some(({ verdict }) => verdict !== null)
  return [
    ...pairNames,
    {
      ...number('tasks', 'Tasks', ''),
      // The caption has the number.
      optional: comparison.pairs.every(({ outcome }) => outcome.nTasks === comparison.tasks.length),
      cell: ({ outcome }) => String(outcome.nTasks),
    },
    {
      ...number('difference', 'Diff.', 'points'),
      cell: ({ outcome }) => percent(outcome.estimate, unknown, decimalsOf(outcome)),
    },
    {
      ...number('difference', limitsHeading(comparison), ''),
      cell: ({ outcome }) =>
        limitsText(outcome, {
          ...{ scale: 100, decimals: decimalsOf(outcome) },
          refusal: outcome.nTasks === 1 ? 'one-task' : null,
        }),
    },
    ...(tested
      ? ([
          {
            ...number('p', 'p', ''),
            cell: ({ adjustedP, outcome }) =>
              adjustedP === null ? formatRefusal(outcome.refusal) : formatP(adjustedP),
          },
          { ...words('verdict', 'Verdict'), cell: verdictOfFirst },
          { ...number('detectable', 'Detectable', 'points'), optional: true, cell: detectableText },
        ] satisfies PairColumn[])
      : []),
    ...(comparison.pairs.some(isConfounded)
      ? [{ ...words('confounded', 'Confounded'), cell: confoundedWith } satisfies PairColumn]
      : []),
  ]
}

/** Returns the verdict on the first method of a pair in one or two words. */
const verdictOfFirst = ({ a, verdict }: PairComparison): string =>
  verdict ? verdictWord(verdict, a) : nothing

/** Returns the columns of the table of spending: of the first method relative to the second. */
export function spendingColumns(comparison: Comparison): PairColumn[] {
  const level = limitsHeading(comparison)
  const ratio = (spent: 'tokens' | 'costUsd', key: string): PairColumn[] => [
    {
      ...number(key, capital(key), 'ratio'),
      cell: ({ spent: { [spent]: of } }) => ratioText(of.ratio.ratio, of.ratio.refusal),
    },
    {
      ...number(key, level, ''),
      cell: ({ spent: { [spent]: of } }) =>
        limitsText(of.ratio, { scale: 1, decimals: 2, refusal: of.ratio.refusal }),
    },
  ]
  return [
    ...pairNames,
    ...ratio('tokens', 'tokens'),
    ...ratio('costUsd', 'cost'),
    {
      ...number('success', 'Diff.', 'points'),
      optional: true,
      cell: (pair) => percent(pair.spent.tokens.success.estimate),
    },
    {
      ...number('success', level, ''),
      optional: true,
      cell: (pair) => limitsText(pair.spent.tokens.success, { scale: 100, decimals: 1 }),
    },
  ]
}

/** Returns the columns of the table of variation; empty if no method has more than one trial of a task. */
export function spreadColumns({ methods, confidence }: Comparison): LatexColumn<MethodEstimates>[] {
  const points = (variance: number | null, refusal: Refusal | null) =>
    variance === null ? formatRefusal(refusal) : (100 * Math.sqrt(variance)).toFixed(1)
  const reliable = methods.flatMap(({ reliability }) => (reliability ? [reliability.k] : []))
  const k = new Set(reliable).size === 1 ? String(reliable[0]) : 'k'
  const passes = (key: string, of: 'some' | 'all'): LatexColumn<MethodEstimates>[] => [
    {
      ...number(key, key, '%'),
      cell: ({ reliability }) => percent(reliability?.[of].estimate ?? null, nothing),
    },
    {
      ...number(key, limitsHeading({ confidence }), ''),
      cell: ({ reliability }) =>
        reliability ? limitsText(reliability[of], { scale: 100, decimals: 1 }) : nothing,
    },
  ]
  if (methods.every(({ variance, reliability }) => variance.between === null && !reliability)) return []
  return [
    { ...name('method', 'Method'), cell: ({ label }) => label },
    {
      ...number('between', 'Between', 'tasks, SD'),
      cell: ({ variance }) => points(variance.between, variance.refusal),
    },
    {
      ...number('within', 'Within', 'tasks, SD'),
      cell: ({ variance }) => points(variance.within, variance.refusal),
    },
    {
      ...number('icc', 'ICC', '%'),
      cell: ({ variance }) => percent(variance.icc, formatRefusal(variance.refusal)),
    },
    ...(reliable.length > 0 ? [...passes(`pass@${k}`, 'some'), ...passes(`pass^${k}`, 'all')] : []),
  ]
}

/** Returns the columns of the table of suites. */
export function suiteColumns(comparison: Comparison): LatexColumn<SuiteRow>[] {
  const tested = comparison.suites.some(({ adjustedP }) => adjustedP !== null)
  return [
    { ...name('suite', 'Suite'), cell: ({ suite }) => suite },
    ...pairNames,
    { ...number('tasks', 'Tasks', ''), cell: ({ nTasks }) => String(nTasks) },
    { ...number('difference', 'Diff.', 'points'), cell: ({ estimate }) => percent(estimate) },
    {
      ...number('difference', limitsHeading(comparison), ''),
      cell: (row) =>
        limitsText(row, { scale: 100, decimals: 1, refusal: row.nTasks === 1 ? 'one-task' : null }),
    },
    ...(tested
      ? [
          {
            ...number('p', 'p', ''),
            cell: ({ adjustedP, refusal }) =>
              adjustedP === null ? formatRefusal(refusal) : formatP(adjustedP),
          } satisfies LatexColumn<SuiteRow>,
        ]
      : []),
  ]
}

/** Returns the columns of the table of interactions. */
export function interactionColumns(comparison: Comparison): LatexColumn<Interaction>[] {
  return [
    ...pairNames,
    { ...name('agents', 'Agents'), cell: agentsName },
    { ...number('tasks', 'Tasks', ''), cell: ({ nTasks }) => String(nTasks) },
    { ...number('difference', 'Diff.', 'points'), cell: ({ estimate }) => percent(estimate) },
    {
      ...number('difference', limitsHeading(comparison), ''),
      cell: (row) => limitsText(row, { scale: 100, decimals: 1 }),
    },
  ]
}

/** Returns the columns of the table of properties. */
export function propertyColumns(comparison: Comparison): LatexColumn<PropertyRow>[] {
  const points = (
    key: 'lower' | 'higher' | 'change',
    heading: string,
    optional: boolean,
  ): LatexColumn<PropertyRow>[] => [
    { ...number(key, heading, 'points'), cell: (row) => percent(row[key].estimate) },
    {
      ...number(key, limitsHeading(comparison), ''),
      optional,
      cell: (row) => limitsText(row[key], { scale: 100, decimals: 1 }),
    },
  ]
  return [
    { ...name('property', 'Property'), cell: ({ property }) => property },
    ...pairNames,
    ...points('lower', 'Lower', true),
    ...points('higher', 'Higher', true),
    ...points('change', 'Change', false),
    ...(hasPropertyP(comparison)
      ? [
          {
            ...number('p', 'p', ''),
            cell: ({ adjustedP, refusal }) =>
              adjustedP === null ? formatRefusal(refusal) : formatP(adjustedP),
          } satisfies LatexColumn<PropertyRow>,
        ]
      : []),
  ]
}

const decimalsOf = ({ se }: { se: number | null }) => decimalsFor(se === null ? null : 100 * se)
