import type { StopRule } from '../../schema/run/comparison-plan.ts'
import { oneWayAnovaP } from '../families/friedman-test.ts'
import { adjustedSkewness } from '../numeric/moments.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { differences } from '../paired/task-difference.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import type { ComparedPair, Outcome, PairComparison, SuiteRow } from './comparison.ts'
import type {
  IntervalMismatch,
  OutcomeDifference,
  PairWarning,
  SuiteAgreement,
  Verdict,
} from './pair-results.ts'
import type { MethodTasks } from './rows.ts'

interface Explanation {
  tasks: readonly string[]
  suites: ReadonlyMap<string, string>
  rows: readonly SuiteRow[]
  outcome: Outcome
  confidence: number
  margin: number | null
  sequence: StopRule['sequence'] | null
  /** False: intervals for a fixed number of tasks are void. */
  limits: boolean
}

/** Adds to each pair, after its limits and its word are final, what a reader must know to read them. */
export function explainPairs(
  pairs: readonly ComparedPair[],
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  explanation: Explanation,
): PairComparison[] {
  const { tasks, suites, rows, outcome, margin, sequence } = explanation
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))]
  return pairs.map((pair, index) => {
    const [a, b] = (places[index] as PlacePair).map(
      (place) => (methods[place] as MethodTasks).values[outcome],
    )
    const over = (within: readonly number[]) => {
      const of = (values: typeof a) =>
        within.map((task) => (values as NonNullable<typeof a>)[task] as NonNullable<typeof a>[number])
      const means = pairedMeans(of(a), of(b))
      return differences(means.a, means.b)
    }
    const all = [...tasks.keys()]
    const bySuite = names.map((suite) =>
      over(all.filter((task) => suites.get(tasks[task] as string) === suite)),
    )
    return {
      ...pair,
      mismatch: intervalMismatch(pair, margin),
      warnings: pairWarnings(over(all), pair.outcome.interval, sequence),
      suites: suiteAgreement(pair, rows, bySuite, { ...explanation, pairs: pairs.length }),
    }
  })
}

/** Returns how the printed interval of a pair and its word seem to contradict each other; null if they do not. */
function intervalMismatch(
  { b, outcome, verdict, equivalent }: Pick<PairComparison, 'b' | 'outcome' | 'verdict' | 'equivalent'>,
  margin: number | null,
): IntervalMismatch | null {
  const { lower, upper } = outcome
  if (verdict === null || lower === null || upper === null) return null
  const holdsZero = lower <= 0 && upper >= 0
  if (verdict.word === 'better') return null
  if (margin !== null) {
    const [below, above] = [lower <= -margin, upper >= margin]
    if (verdict.word === 'equivalent' && (below || above)) return 'exceeds-margin'
    if (verdict.word === 'not-worse' && (verdict.method === b ? above : below)) return 'exceeds-margin'
  }
  if (!holdsZero) return outcome.claimP === null ? null : 'excludes-zero'
  const isInside = margin !== null && lower > -margin && upper < margin
  const isGuarded = equivalent.guard?.holds === false && !outcome.missing?.decides
  const isOpen = verdict.word === 'not-established' || verdict.word === 'not-worse'
  return isInside && isGuarded && isOpen ? 'inside-margin' : null
}

/**
 * Returns how the suites of a pair agree with each other and with the verdict over all tasks; null for a single suite.
 * `differences` are the task differences of each suite. `limits`: false if intervals for a fixed number of tasks are void.
 */
function suiteAgreement(
  pair: { a: string; b: string; verdict: Verdict | null },
  rows: readonly SuiteRow[],
  differences: readonly (readonly number[])[],
  { confidence, limits, pairs }: { confidence: number; limits: boolean; pairs: number },
): SuiteAgreement | null {
  const known = rows.filter(({ a, b, nTasks }) => a === pair.a && b === pair.b && nTasks > 0)
  if (known.length < 2) return null
  const isShown = ({ adjustedP }: SuiteRow) => adjustedP !== null && adjustedP < 1 - confidence
  const names = (isSo: (row: SuiteRow) => boolean) => known.filter(isSo).map(({ suite }) => suite)
  const sides = {
    forA: names(({ estimate }) => (estimate ?? 0) > 0),
    forB: names(({ estimate }) => (estimate ?? 0) < 0),
    clearlyForA: limits ? names((row) => isShown(row) && (row.estimate ?? 0) > 0) : [],
    clearlyForB: limits ? names((row) => isShown(row) && (row.estimate ?? 0) < 0) : [],
  }
  const { verdict } = pair
  const against = verdict?.word === 'better' ? (verdict.method === pair.a ? sides.forB : sides.forA) : []
  const tasks = known.reduce((sum, { nTasks }) => sum + nTasks, 0)
  const unevenP = limits && tasks >= fewestTasks ? (oneWayAnovaP(differences) ?? 1) : 1
  return {
    count: known.length,
    ...sides,
    disagreement:
      sides.clearlyForA.length > 0 && sides.clearlyForB.length > 0
        ? 'opposite'
        : against.length > 0
          ? 'against-verdict'
          : unevenP < (1 - confidence) / pairs
            ? 'uneven'
            : null,
  }
}

/** A task is lost whole from this difference on. */
const whole = 0.75
/** Above this share of tasks losses are not rare: then the t test sees them. */
const rare = 0.2
/** From this skewness on the asymptotic sequence settles falsely more often than its level says. */
const skewed = 0.8
/** Below this skewness differences vary so much that whole losses are not unlike the others. */
const lopsided = 1

/** Returns the signs in task differences that a procedure claims too often. */
export function pairWarnings(
  values: readonly number[],
  interval: OutcomeDifference['interval'],
  sequence: StopRule['sequence'] | null,
): PairWarning[] {
  if (sequence === 'asymptotic' && isSkewed(values)) return ['skewed-differences']
  return interval === 'paired-t' && hasRareFailures(values) ? ['rare-failures'] : []
}

/** Whether differences are skewed, or are small, mostly ties, and all in one direction: a rare loss may be unseen. */
function isSkewed(values: readonly number[]): boolean {
  const moved = values.filter((value) => value !== 0)
  const isOneSided = moved.every((value) => value > 0) || moved.every((value) => value < 0)
  const isSmall = moved.length < values.length / 2 && moved.every((value) => Math.abs(value) <= 0.5)
  return Math.abs(adjustedSkewness(values)) >= skewed || (moved.length > 0 && isOneSided && isSmall)
}

/** Whether few tasks are lost whole by the same method, most of the others differ little, and that skews the differences. */
function hasRareFailures(values: readonly number[]): boolean {
  const [forA, forB] = [1, -1].map((side) => values.filter((value) => side * value >= whole).length)
  const lost = Math.max(forA as number, forB as number)
  const little = values.filter((value) => Math.abs(value) < 1 - whole + 0.1).length
  return (
    Math.min(forA as number, forB as number) === 0 &&
    lost > 0 &&
    lost <= rare * values.length &&
    little > values.length / 2 &&
    Math.abs(adjustedSkewness(values)) >= lopsided
  )
}
