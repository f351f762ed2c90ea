import { type LeadingGroup, leadingGroup } from '../../analysis/claims/leading-group.ts'
import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { boundName } from '../../analysis/method-row.ts'
import type { Ratio } from '../../analysis/ratios/ratio.ts'
import type { Amount, MethodSummary } from '../../analysis/summary.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import type { Report } from '../report.ts'
import { verdictWord } from '../words/claim-words.ts'
import { formatPercent, formatShare } from '../words/numbers.ts'
import { formatP } from '../words/result-text.ts'
import { safeLine } from '../words/safe-text.ts'

/** One method with one set of agents. */
export interface ScreenRow {
  method: string
  /** The agents, if rows differ in their sets or one is a bound; else null. */
  agents: string | null
  /** Its name in the sentences: the method, with its agents if the run has several sets. */
  name: string
  isBaseline: boolean
  /** Its agents mark an end of the scale (oracle, no-op), so it is in no comparison. */
  isBound: boolean
  /** Share of passed trials, mean over tasks. */
  success: Interval
  /** Mean score with its limits, if the run compares scores; else null. */
  score: Interval | null
  /** Success (or score) minus the baseline's, as a share, with the adjusted p; null for the baseline and without a pair. */
  difference: (Interval & { p: number | null }) | null
  /** The verdict against the baseline in one or two words; empty for the baseline and where nothing is tested. */
  says: string
  /** US dollars per trial, at list prices. */
  cost: Amount
  /** Cost relative to the baseline's: 2.2 means 2.2 times as much; null where unknown, and for the baseline. */
  costRatio: number | null
  /** Limits of that ratio by Fieller; null where there are none. */
  costRatioLimits: { lower: number | null; upper: number | null }
  /** Lowest and highest rank that the tests of all pairs allow; null where not all pairs are tested. */
  rank: readonly [from: number, to: number] | null
  costPerSuccess: MethodSummary['costPerSuccess']
  /** Cost per success relative to the baseline's, with limits and tasks; null for the baseline and without a pair. */
  successCostRatio: (Ratio & { nTasks: number }) | null
}

/** Returns the rows of the first screen, best success (or score) first. */
export function screenRows({ summary, comparison }: Report): ScreenRow[] {
  const compared = comparison?.comparison ?? null
  const ranks = (compared && leadingGroup(compared))?.ranks ?? {}
  const rows = summary.methods.map((row) => screenRow(row, summary.methods, { compared, ranks }))
  const best = ({ score, success }: ScreenRow) => (score ?? success).estimate ?? -1
  return rows.sort((a, b) => best(b) - best(a))
}

function screenRow(
  row: MethodSummary,
  all: readonly MethodSummary[],
  { compared: comparison, ranks }: { compared: Comparison | null; ranks: LeadingGroup['ranks'] },
): ScreenRow {
  const name = comparison === null ? nameOf(row) : labelOf(comparison, row)
  const base = all.find(({ isBaseline, set }) => isBaseline && set === row.set)
  const pair = comparison && base && pairOf(comparison, row, base)
  const against = row.againstBaseline
  const percent = against?.cost.percent ?? null
  const estimates = comparison?.methods.find((one) => one.method === row.method && one.set === row.set)
  return {
    method: safeLine(row.method),
    agents: agentsOf(row),
    name: safeLine(name),
    isBaseline: row.isBaseline,
    isBound: boundName(row.agents) !== undefined,
    success: intervalOf(row.success),
    score: comparison?.outcome === 'score' && estimates ? intervalOf(estimates.score) : null,
    difference: pair
      ? { ...trustedDifference(pair, name), p: pair.adjustedP }
      : against && comparison?.outcome !== 'score'
        ? { ...estimateAlone(against.success.points), p: null }
        : null,
    says: pair?.verdict ? verdictWord(pair.verdict, name) : '',
    cost: row.listCost.perTrial,
    costRatio: row.isBaseline || percent === null ? null : 1 - percent / 100,
    costRatioLimits: pair ? costLimits(pair, name) : { lower: null, upper: null },
    rank: ranks[name] ?? null,
    costPerSuccess: row.costPerSuccess,
    successCostRatio: pair ? ratioOf(pair, name) : null,
  }
}

const intervalOf = ({ estimate, lower, upper }: Interval): Interval => ({ estimate, lower, upper })

const estimateAlone = (points: number | null): Interval => ({
  estimate: points === null ? null : points / 100,
  lower: null,
  upper: null,
})

const nameOf = ({ method, set }: MethodSummary) => (set === null ? method : `${method} (${set})`)

const labelOf = ({ methods }: Comparison, row: MethodSummary): string =>
  methods.find(({ method, set }) => method === row.method && set === row.set)?.label ?? nameOf(row)

function agentsOf({ agents, set }: MethodSummary): string | null {
  const bound = boundName(agents)
  if (set === null && bound === undefined) return null
  return safeLine(`${set ?? agents}${bound === undefined ? '' : ` (${bound})`}`)
}

function pairOf(comparison: Comparison, row: MethodSummary, base: MethodSummary): PairComparison | undefined {
  if (row === base) return undefined
  const wanted = [labelOf(comparison, row), labelOf(comparison, base)]
  return comparison.pairs.find(({ a, b }) => wanted.includes(a) && wanted.includes(b))
}

/** Returns the difference of a pair as the side `of` minus the other. */
export function differenceOf({ a, outcome }: PairComparison, of: string): Interval {
  const { estimate, lower, upper } = outcome
  if (a === of) return { estimate, lower, upper }
  const minus = (value: number | null) => (value === null ? null : -value)
  return { estimate: minus(estimate), lower: minus(upper), upper: minus(lower) }
}

/**
 * Returns the difference that may be believed: where missing trials put the estimate outside of what is possible, the bounds alone.
 */
export function trustedDifference(pair: PairComparison, of: string): Interval {
  const { missing } = pair.outcome
  if (!missing?.excludesEstimate) return differenceOf(pair, of)
  const bounds = { estimate: null, lower: missing.low, upper: missing.high }
  return differenceOf({ ...pair, outcome: { ...pair.outcome, ...bounds } }, of)
}

/** Returns the limits of the cost of a trial of a pair as a ratio, with the side `of` above. */
function costLimits({ a, spent }: PairComparison, of: string): ScreenRow['costRatioLimits'] {
  const { lower, upper } = spent.costUsd.ratio
  return a === of ? { lower, upper } : { lower: inverse(upper), upper: inverse(lower) }
}

const inverse = (value: number | null) => (value === null || value <= 0 ? null : 1 / value)

/** Returns the ratio of the costs per success of a pair, with the side `of` above. */
function ratioOf({ a, costPerSuccess }: PairComparison, of: string): Ratio & { nTasks: number } {
  const { ratio, lower, upper, refusal, nTasks } = costPerSuccess
  if (a === of) return { ratio, lower, upper, refusal, nTasks }
  return { ratio: inverse(ratio), lower: inverse(upper), upper: inverse(lower), refusal, nTasks }
}

/** Formats a p-value without its leading zero: `.019`, `<.001`. */
export const shortP = (p: number): string => (p > 0.9994 ? '1.00' : formatP(p)).replace(/^(<?) ?0\./, '$1.')

/** Formats points with their sign and limits, rounded outward: `+26 [+17, +34]`. Below one point they have a decimal. */
export function pointsText({ estimate, lower, upper }: Interval): string {
  if (estimate === null) return lower === null || upper === null ? 'unknown' : limitsText({ lower, upper })
  const centre = signed(100 * estimate, Math.round)
  return lower === null || upper === null ? centre : `${centre} ${limitsText({ lower, upper })}`
}

/** Formats the size of a difference as words: `26 points [17, 34]`; only what is below 0 has a sign. */
export function sizeText({ estimate, lower, upper }: Interval): string {
  const centre = estimate === null ? 'unknown' : signed(100 * estimate, Math.round, '')
  if (estimate === null || lower === null || upper === null) return `${centre} points`
  return `${centre} points [${signed(100 * lower, Math.floor, '')}, ${signed(100 * upper, Math.ceil, '')}]`
}

/** Formats the limits of points: `[+17, +34]`. */
export const limitsText = ({ lower, upper }: { lower: number; upper: number }): string =>
  `[${signed(100 * lower, Math.floor)}, ${signed(100 * upper, Math.ceil)}]`

/** Formats the limits of points as words: `-1 to +18 points`. */
export const rangeText = ({ lower, upper }: { lower: number; upper: number }): string =>
  `${signed(100 * lower, Math.floor)} to ${signed(100 * upper, Math.ceil)} points`

/** Formats a share in percent with whole limits for a column of percent: `72.7 [65, 79]`. */
export const percentText = (share: Interval): string => withPercentLimits(share, formatShare)

/** Formats a share in whole percent: `73 [65, 79]`; only 0 is `0`, and only 1 is `100`. */
export const wholePercentText = (share: Interval): string =>
  withPercentLimits(share, (estimate) => {
    const whole = Math.round(100 * estimate)
    return String(estimate > 0 && whole === 0 ? 1 : estimate < 1 && whole === 100 ? 99 : whole)
  })

/** Formats a share in percent with whole limits for a sentence: `72.7% [65, 79]`. */
export const shareText = (share: Interval): string => withPercentLimits(share, formatPercent)

function withPercentLimits(
  { estimate, lower, upper }: Interval,
  format: (estimate: number) => string,
): string {
  if (estimate === null) return 'unknown'
  if (lower === null || upper === null) return format(estimate)
  return `${format(estimate)} [${outwardPercent(lower, Math.floor)}, ${outwardPercent(upper, Math.ceil)}]`
}

// The slack absorbs floating-point error, so that a limit is not rounded one step too far.
const outwardPercent = (share: number, round: (value: number) => number): string =>
  String(Math.abs(round(100 * share + (round === Math.floor ? 1e-9 : -1e-9))))

// A limit that is rounded to 0 would hide on which side of 0 it is.
function signed(points: number, round: (value: number) => number, plus = '+'): string {
  const factor = Math.abs(points) < 1 ? 10 : 1
  // Ten digits absorb floating-point error, so that a limit is not rounded one step too far.
  const rounded = round(Number((points * factor).toPrecision(10))) / factor
  const text = rounded.toFixed(Number.isInteger(rounded) ? 0 : 1)
  return rounded > 0 ? `${plus}${text}` : Number(text) === 0 ? '0' : text
}
