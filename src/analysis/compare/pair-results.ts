import type { PairedEffectSizes } from '../paired/effect-sizes.ts'
import type { DifferenceVariance } from '../planning/paired-sample-size.ts'
import type { Ratio, RatioKind } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'
import type { LargestTask } from '../tasks/task-value.ts'

/**
 * `excludes-zero`: the interval is clear of 0, and the word is not "better", because the claim's p is another test's or is
 * adjusted over the family. `exceeds-margin`: the word is "not worse" or "equivalent", and the interval reaches
 * beyond the margin: "equivalent" is tested at 5% on each side, which is a 90% interval. `inside-margin`: the interval lies
 * inside the margin, and the word is "not established" or "not worse", because the guard of "equivalent" does not hold.
 */
export type IntervalMismatch = 'excludes-zero' | 'exceeds-margin' | 'inside-margin'

/**
 * `rare-failures`: a few tasks are lost whole by one method, and most others differ little, so that differences are skewed and
 * the paired t test claims too often. `skewed-differences`: the same sign, under the asymptotic stop rule.
 */
export type PairWarning = 'rare-failures' | 'skewed-differences'

/** How the results of a pair on its suites agree. */
export interface SuiteAgreement {
  /** Suites with a task of both methods. */
  count: number
  /** Suites on which the estimate favours A, and B; and those of them whose interval is clear of 0. */
  forA: string[]
  forB: string[]
  clearlyForA: string[]
  clearlyForB: string[]
  /**
   * `opposite`: intervals of two suites are clear of 0 on opposite sides. `against-verdict`: the word is "better", and the
   * estimate of a suite points the other way. `uneven`: the differences of the suites vary more than chance explains (one-way
   * analysis of variance of task differences, p below 1 - confidence). Null: none of these.
   */
  disagreement: 'opposite' | 'against-verdict' | 'uneven' | null
}

/** The primary outcome of a pair. */
export interface OutcomeDifference extends Interval {
  /** The mean of A - B over tasks, also under a stop rule. */
  estimate: number | null
  /** The estimate lies outside of its limits; only a confidence sequence, which has a centre of its own, allows it. */
  outsideLimits: boolean
  interval: 'newcombe' | 'paired-t' | 'newcombe-majorities' | 'confidence-sequence' | null
  se: number | null
  nTasks: number
  /** Clusters of these tasks, which are then the units of the test and the limits; null: each task is a unit. */
  nClusters: number | null
  nDropped: number
  /** Tasks on which the two differ. */
  separated: number
  p: number | null
  test: 'mcnemar-mid-p' | 'paired-t' | 'sign-flip' | null
  /** p of the exact test; `flips` is its number of random sign flips, null if it is exact. */
  exactP: number | null
  flips: number | null
  /**
   * The p that a claim uses: `p`, or the greater of both if tasks are few or most are ties. With missing trials it is at least
   * `missing.worstP`, so that a claim also holds if all of them went against the winner.
   */
  claimP: number | null
  /** Standard error of a rerun on the same tasks; answers another question. */
  rerunSe: number | null
  effect: PairedEffectSizes
  /** The difference if every missing trial went against A, or for it; null if none is missing. */
  missing: MissingBounds | null
  /** Why there is no p-value or no interval. */
  refusal: Refusal | null
}

interface MissingBounds {
  low: number | null
  high: number | null
  /** The p that a claim would use without the missing trials. */
  knownP: number | null
  /** The same if they all count against the method that is ahead; 1 if it is not ahead then. Null: no test. */
  worstP: number | null
  /** The bounds include 0, or a claim would hold without the missing trials and does not hold with them. */
  decides: boolean
  /** The estimate lies outside of the bounds: it is over the tasks that both methods have, and the bounds are over all tasks. */
  excludesEstimate: boolean
}

/** A test against the margin. */
export interface MarginTest {
  /** Of the t test. */
  p: number | null
  adjustedP: number | null
  /** A second limit that must lie inside the margin, too; null: the t test is enough, or none was made. */
  guard: MarginGuard | null
  /** The adjusted p is below the level, and the guard holds. */
  holds: boolean
  refusal: Refusal | null
}

/**
 * The lowest of the limits that guard a test. `newcombe`: Newcombe's of one epoch, the printed interval if one pair is tested.
 * `newcombe-majorities`: tasks are few or most are ties, so Newcombe's on the tasks that each method solves in most epochs.
 * `tango`: that of Tango's score test on the same tasks. `one-loss`: the t limit with one more task, which the method loses.
 * `whole-losses`: the mean if the method loses as many tasks whole as the limit for the whole losses that were seen allows.
 */
export interface MarginGuard {
  kind: 'newcombe' | 'newcombe-majorities' | 'tango' | 'one-loss' | 'whole-losses'
  /** Lower limit of the method minus the other; of `equivalent`, the lower one of both directions. */
  limit: number
  holds: boolean
}

/** The verdicts that numbers allow. */
export type Verdict =
  | { word: 'better' | 'not-worse'; method: string }
  | { word: 'equivalent' | 'not-established' | 'not-separated' | 'too-few-tasks' }

/** Spending of A relative to B over the tasks where both are known. */
export interface SpentDifference {
  nTasks: number
  nDropped: number
  /** Ratio of means with Fieller's interval, and the same as percent saved. */
  ratio: Ratio & { kind: RatioKind }
  saved: { saved: number | null; lower: number | null; upper: number | null }
  /** Geometric mean of ratios: the typical task, another question. */
  typical: Ratio
  /** Median of the tasks' ratios. */
  median: Ratio
  /** The task that holds the largest share of A's or B's spending, if that is above 20%, whose it is, and the ratio without it. */
  largest: (LargestTask & { of: string; nTasks: number; ratioWithout: number | null }) | null
  /** Paired t test of the difference, and the sign-flip test. */
  p: number | null
  exactP: number | null
  claimP: number | null
  /** Adjusted over the pairs (Holm). */
  familyP: number | null
  /** Adjusted over the pairs (Benjamini-Hochberg); exploratory. */
  exploratoryP: number | null
  /** Success difference over the same tasks: giving up early is not a saving. */
  success: Interval & { nTasks: number }
  /** The method that spends less by an interval without 1, and is better or not worse; null: not shown. */
  atEqualSuccess: string | null
  refusal: Refusal | null
}

/** Shares of pairs of trials on one task of which one passes and the other does not: the chance that an outcome flips. */
export interface FlipRates {
  /** A trial of each. Null: no task in common. */
  between: number | null
  /** Two trials of A, and of B: the noise floor. Null: not known. */
  a: number | null
  b: number | null
}

/** What more tasks or more epochs would show. */
export interface PairPlanning {
  /** Null with fewer than two tasks. With one epoch all variance is in `omega2`. */
  parts: DifferenceVariance | null
  /** Share of the variance of a task difference that more epochs would remove; null with one epoch. */
  withinShare: number | null
  /**
   * Smallest difference found with 80% power by the rule of a claim: in a single test, and in this family. By the power of the
   * t test; where a claim needs the exact test, too, at least what that test needs. Null with `mdeRefusal`.
   */
  mde: number | null
  mdeInFamily: number | null
  /** Why there is no `mde`, as `too-few-tasks` (no test) or `beyond-range` (not even 100 points are found). */
  mdeRefusal: Refusal | null
  /**
   * A claim needs the exact test, too (tasks are few, or most are ties): at least this many separated tasks in one direction, as
   * the smallest p of the family.
   */
  separatedNeeded: number | null
  /** Most tasks are ties; and the mean size of the differences that are not 0. */
  tied: boolean
  separatedSize: number
  /** `epochs`: noise within tasks is half of the variance or more, so more epochs help, too. */
  advice: 'tasks' | 'epochs' | null
  refusal: Refusal | null
}
