import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { type PaperColumn, paperEstimate, paperNumber, paperWords } from '../tables/paper-columns.ts'
import { type ColumnOf, inText, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { marginText, verdictText, verdictWord } from '../words/claim-words.ts'
import { formatShare, nothing, present } from '../words/numbers.ts'
import {
  appendOneTask,
  confidenceName,
  decimalsOf,
  formatDifference,
  formatP,
  formatRefusal,
  levelOf,
} from '../words/result-text.ts'
import { pairDataColumns } from './pair-data-columns.ts'

type PairColumn = ColumnOf<PairComparison>

/** Returns the columns of the table of pairs: the primary outcome, its verdict, and the detectable difference. */
export function pairColumns(comparison: Comparison): PairColumn[] {
  const { pairs, family } = comparison
  const level = confidenceName(comparison)
  const tested = pairs.some(({ verdict }) => verdict !== null)
  // The caption of a paper has the number of tasks that all have.
  const allHave = pairs.every(({ outcome }) => outcome.nTasks === comparison.tasks.length)
  return present([
    labelColumn('pair', 'pair', pairName, pairNames),
    simulatedColumn(comparison),
    textColumn('tasks_text', ['tasks', 'paired'], 'outcome', ({ outcome }) => pairedText(outcome), [
      paperNumber('tasks', ['Tasks', ''], ({ outcome }) => String(outcome.nTasks), allHave),
    ]),
    textColumn(
      'difference_text',
      [comparison.outcome, `points [${level}]`],
      'outcome',
      differenceText,
      paperEstimate('difference', ['Diff.', 'points', `${level} limits`], ({ outcome }) => outcome, {
        decimals: ({ outcome }) => decimalsOf(outcome),
        refusal: ({ outcome }) => (outcome.nTasks === 1 ? 'one-task' : null),
      }),
    ),
    inText(
      hasP(comparison),
      textColumn(
        'p_text',
        ['p', adjustmentName(comparison)],
        'outcome',
        (pair) => pText({ ...pair, ...pair.outcome }, levelOf(comparison)),
        tested ? [paperNumber('p', ['p', ''], (pair) => pText({ ...pair, ...pair.outcome }))] : [],
      ),
    ),
    tested &&
      textColumn(
        'verdict_text',
        ['says', ''],
        'outcome',
        (pair: PairComparison) => saysText(pair, comparison),
        [paperWords('verdict', 'Verdict', ({ a, verdict }) => (verdict ? verdictWord(verdict, a) : nothing))],
      ),
    inText(
      hasDetectable(comparison),
      textColumn(
        'detectable_text',
        ['detectable', 'points'],
        'outcome',
        detectableText,
        tested ? [paperNumber('detectable', ['Detectable', 'points'], detectableText, true)] : [],
      ),
    ),
    hasFlips(comparison) && textColumn('flips_text', ['flips', '% (itself)'], 'outcome', flipsText),
    pairs.some(isConfounded) &&
      textColumn('confounded_text', ['confounded', ''], 'outcome', confoundedWith, [
        paperWords('confounded', 'Confounded', confoundedWith),
      ]),
    ...pairDataColumns(comparison, family.size),
  ])
}

/** The two names of a pair in a paper. */
export const pairNames: readonly PaperColumn<{ a: string; b: string }>[] = [
  paperWords('pair', 'Method', ({ a }) => a, 'name'),
  paperWords('pair', 'Against', ({ b }) => b, 'name'),
]

/** Returns `16 of 20` where some tasks have one of both methods alone. */
export const pairedText = ({ nTasks, nDropped }: { nTasks: number; nDropped: number }): string =>
  nDropped > 0 ? `${nTasks} of ${nTasks + nDropped}` : String(nTasks)

/** Whether the pairs have a p, or a reason for none that is about the pair: a stop rule may have no p at all. */
export function hasP({ pairs, silence, family }: Comparison): boolean {
  if (silence === 'simulated' || (silence === null && family.size === 0)) return false
  return silence !== 'stop-rule' || pairs.some(({ adjustedP }) => adjustedP !== null)
}

/** Whether the pairs have a smallest detectable difference, which only a test for a fixed number of tasks has. */
export function hasDetectable({ pairs }: Comparison): boolean {
  return pairs.some((pair) => detectableOf(pair) !== null)
}

/** Whether it is known how often a method flips against itself. */
export const hasFlips = ({ pairs }: Comparison): boolean => pairs.some(({ flips }) => flips)

const flipsText = ({ flips }: PairComparison): string => {
  const text = (rate: number | null) => (rate === null ? nothing : formatShare(rate))
  return flips ? `${text(flips.between)} (${text(flips.a)}, ${text(flips.b)})` : nothing
}

const differenceText = ({ outcome }: PairComparison): string =>
  appendOneTask(formatDifference(outcome, { scale: 100, decimals: decimalsOf(outcome) }), outcome.nTasks)

function saysText({ verdict, adjustedP }: PairComparison, comparison: Comparison): string {
  if (verdict === null) return nothing
  const p = adjustedP === null ? null : formatP(adjustedP, levelOf(comparison))
  return verdictText(verdict, marginText(comparison.margin), p)
}

/** Returns the number of tests that p-values are adjusted over. */
export function familySize({ family, stop, silence, pairs }: Comparison): number {
  if (stop) return stop.rule.comparisons
  return silence === null ? family.size : pairs.length
}

/** Returns `Holm, m=3`; with a stop rule `at any look, m=3`. */
export function adjustmentName(comparison: Comparison): string {
  return `${comparison.stop ? 'at any look' : 'Holm'}, m=${familySize(comparison)}`
}

/** Whether a pair differs in more than what it compares. */
const isConfounded = ({ confounded, tools }: PairComparison): boolean =>
  confounded !== null || tools?.kind === 'confounded'

function confoundedWith({ confounded, tools }: PairComparison): string {
  const parts = present([confounded && 'the model', tools?.kind === 'confounded' && 'the tools'])
  return parts.length > 0 ? `with ${parts.join(' and ')}` : nothing
}

/** Returns `A than B`: every difference is A's value minus B's, and every ratio is A's to B's. */
export const pairName = ({ a, b }: Pick<PairComparison, 'a' | 'b'>): string => `${a} than ${b}`

/** Returns an adjusted p, or why there is none. */
export const pText = (
  { adjustedP, refusal }: { adjustedP: number | null; refusal: Refusal | null },
  level?: number,
): string => (adjustedP === null ? formatRefusal(refusal) : formatP(adjustedP, level))

function detectableText(pair: PairComparison): string {
  const { planning, outcome } = pair
  const detectable = detectableOf(pair)
  if (detectable !== null) return (100 * detectable).toFixed(1)
  return formatRefusal(planning.mdeRefusal ?? planning.refusal ?? outcome.refusal)
}

function detectableOf({ adjustedP, verdict, planning }: PairComparison): number | null {
  return adjustedP === null || verdict === null ? null : planning.mdeInFamily
}
