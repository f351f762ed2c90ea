import type { OutcomeDifference } from '../../analysis/compare/pair-results.ts'
import { evidence } from '../../analysis/evidence.ts'
import { needsBothTests } from '../../analysis/paired/difference-claim.ts'
import { type Refusal, refusals } from '../../analysis/refusal.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { unknown } from './numbers.ts'

/** Formats a p-value: `0.034`, `< 0.001`; never 0, and with the digits that tell it from `level`: `0.0498`. */
export function formatP(p: number, level = 0.05): string {
  if (p < 0.001) return '< 0.001'
  if (p > 0.9994) return '1'
  const isLevel = Math.abs(p - level) < 1e-12
  for (let digits = 3; digits < 12; digits++) {
    const text = p.toFixed(digits)
    if (isLevel || Math.abs(Number(text) - level) > 1e-12) return text
  }
  return p.toFixed(12)
}

/** Returns the confidence level, such as `95%`. */
export function confidenceName({ confidence }: { confidence: number }): string {
  return `${Number((100 * confidence).toFixed(2))}%`
}

/** Returns the level of the claims of a comparison, without floating-point error. */
export const levelOf = ({ confidence }: { confidence: number }): number =>
  Number((1 - confidence).toFixed(10))

/** Returns the reason for a missing number in a few words for a cell; a note below the table has the sentence. */
export function formatRefusal(refusal: Refusal | null): string {
  return refusal === null ? unknown : shortRefusals[refusal]
}

/** Returns the reason as a sentence. */
export const refusalText = (refusal: Refusal): string => refusals[refusal]

/** The reasons in a few words, for cells. */
export const shortRefusals: Readonly<Record<Refusal, string>> = {
  'no-task': 'no task has it',
  'one-task': 'one task',
  'one-task-decides': 'one task decides',
  'one-task-costs': 'one task has all costs',
  'too-few-tasks': 'too few tasks',
  'too-few-clusters': 'too few clusters',
  'few-for-limits': 'too few for limits',
  'one-epoch': 'one epoch',
  'too-few-trials': 'too few trials',
  'no-spread': 'all the same',
  'one-method-leads': 'none: one leads',
  'not-separated': 'none separated',
  'zero-baseline': 'no ratio',
  'not-positive': 'has a zero',
  'no-success': 'nothing solved',
  'unreported-cost': 'cost unknown',
  'unclear-denominator': 'unbounded',
  'same-rates': 'the same rates',
  'beyond-range': 'none below 100',
  'tasks-not-epochs': 'needs tasks',
  'not-yet': 'not yet',
  'too-many-values': 'too many values',
  simulated: evidence.simulated.name,
  looked: 'void: looked',
  unfinished: 'void: unfinished',
  'stop-rule': 'none by this rule',
  'not-in-family': 'not in the family',
  'missing-decides': 'missing trials decide',
  'not-by-cluster': 'not by cluster',
  'no-margin': 'no margin',
  'outside-replicates': 'outside replicates',
}

/** Returns the decimals that show two digits of a standard error: one to four; one without a standard error. */
export function decimalsFor(se: number | null): number {
  if (se === null || se <= 0) return 1
  return Math.min(4, Math.max(1, 1 - Math.floor(Math.log10(se))))
}

/** Returns the same for a share in points. */
export const decimalsOf = ({ se }: { se: number | null }): number =>
  decimalsFor(se === null ? null : 100 * se)

/** Formats an estimate times `scale` with its sign, and its limits rounded outward if there are any: `+52.2 [+24.1, +70.5]`. */
export function formatDifference(
  { estimate, lower, upper }: Interval,
  { scale, decimals }: { scale: number; decimals: number },
): string {
  if (estimate === null) return unknown
  const centre = signed(scale * estimate, decimals)
  if (lower === null || upper === null) return centre
  return `${centre} [${signed(outward(scale * lower, decimals, Math.floor), decimals)}, ${signed(outward(scale * upper, decimals, Math.ceil), decimals)}]`
}

/** Appends the reason to an estimate without limits: `-52.2 (one task)`. */
export function appendReason(
  text: string,
  { lower, upper }: Omit<Interval, 'estimate'>,
  refusal: Refusal | null,
) {
  const isBare = lower === null && upper === null && refusal !== null && text !== unknown
  return isBare ? `${text} (${formatRefusal(refusal)})` : text
}

/** Appends `(one task)` to a difference over a single task. */
export const appendOneTask = (text: string, nTasks: number): string =>
  appendReason(text, { lower: null, upper: null }, nTasks === 1 ? 'one-task' : null)

// The slack absorbs floating-point error, so that a limit is not rounded one step too far.
function outward(value: number, decimals: number, round: (value: number) => number): number {
  const factor = 10 ** decimals
  const slack = round === Math.floor ? 1e-9 : -1e-9
  return round(value * factor + slack) / factor
}

function signed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  if (Number(text) === 0) return (0).toFixed(decimals)
  return Number(text) > 0 ? `+${text}` : text
}

/** The test whose p a claim uses: `greater-of-…` where tasks are few or most are ties, so that a claim needs both tests. */
type ClaimTest =
  | NonNullable<OutcomeDifference['test']>
  | 'greater-of-mcnemar-mid-p-and-exact'
  | 'greater-of-paired-t-and-sign-flip'

/** Returns the name of the test that the claim's p comes from; null without a test. */
export function claimTestOf({
  test,
  claimP,
  nTasks,
  separated,
}: Pick<OutcomeDifference, 'test' | 'claimP' | 'nTasks' | 'separated'>): ClaimTest | null {
  if (test === null || claimP === null) return null
  if (test === 'sign-flip' || !needsBothTests(nTasks, separated)) return test
  return test === 'paired-t' ? 'greater-of-paired-t-and-sign-flip' : 'greater-of-mcnemar-mid-p-and-exact'
}

/** Returns the test of a claim as notes name it; null without a test. */
export function claimTestText(outcome: Parameters<typeof claimTestOf>[0]): string | null {
  const test = claimTestOf(outcome)
  return test && testTexts[test](needsBothBecause(outcome))
}

const testTexts: Readonly<Record<ClaimTest, (because: string) => string>> = {
  'mcnemar-mid-p': () => "McNemar's mid-p",
  'paired-t': () => 'the paired t test of task means',
  'sign-flip': () => 'the sign-flip test, because all differences are equal',
  'greater-of-mcnemar-mid-p-and-exact': (because) =>
    `the greater of McNemar's mid-p and exact p, because ${because}`,
  'greater-of-paired-t-and-sign-flip': (because) =>
    `the greater p of the paired t test and the sign-flip test, because ${because}`,
}

const needsBothBecause = ({ nTasks, separated }: Parameters<typeof claimTestOf>[0]) =>
  separated < nTasks / 2 ? 'the two are equal on most tasks' : 'tasks are fewer than 10'
