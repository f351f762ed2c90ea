import type { StopRule } from '../../schema/run/comparison-plan.ts'
import type { Claim, FamilySize } from '../claims/claims.ts'
import type { PriceClaim } from '../claims/price-claims.ts'
import type { SignedRankTest } from '../paired/wilcoxon-signed-rank.ts'
import type { CostPerSuccess, PriceRatio } from '../ratios/cost-per-success.ts'
import type { Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import type { BcaInterval, BootstrapInterval } from '../resampling/bootstrap.ts'
import type { InterimLook } from '../sequential/stop-rule.ts'
import type { Interval } from '../tasks/interval.ts'
import type { ClusteredMean, TaskMeanInterval } from '../tasks/mean-interval.ts'
import type { LargestTask } from '../tasks/task-value.ts'
import type { VarianceComponents } from '../tasks/variance-components.ts'
import type {
  FlipRates,
  IntervalMismatch,
  MarginTest,
  OutcomeDifference,
  PairPlanning,
  PairWarning,
  SpentDifference,
  SuiteAgreement,
  Verdict,
} from './pair-results.ts'
import type { GroupChoice, PropertyRow } from './property-results.ts'
import type { Confounding, ToolDifference } from './tools.ts'

/** Success of one method by other procedures: Jeffreys (if each task has one trial), and a mean over trials. */
export interface MethodSensitivity {
  jeffreys: Interval | null
  overTrials: ClusteredMean
}

/** A pair by other procedures, which no claim rests on. */
export interface PairSensitivity {
  /** A - B on the outcome. */
  bootstrap: BootstrapInterval & { bca: BcaInterval | null }
  pseudomedian: Interval & { refusal: Refusal | null }
  /** Null below six tasks. */
  wilcoxon: SignedRankTest | null
  cliffsDelta: number | null
  /** A / B of each kind of spending. */
  spent: Record<'tokens' | 'costUsd' | 'durationMs', { logRatio: Ratio; bootstrap: BootstrapInterval }>
}

/** Test whether three methods or more differ at all: Cochran's Q for single trials, else Friedman's test. */
export interface Omnibus {
  test: 'cochran-q' | 'friedman'
  statistic: number | null
  df: number
  p: number | null
  nTasks: number
  refusal: Refusal | null
}

/** The primary outcome; in [0, 1], more is better. */
export type Outcome = 'success' | 'score'

/** A kind of spending; less is better: tokens, US dollars at uncached list prices, milliseconds of the trial's clock. */
export type Spent = 'tokens' | 'costUsd' | 'durationMs'

/** Comparison of methods on the same tasks: every number with its interval or its refusal. Plain data. */
export interface Comparison {
  confidence: number
  outcome: Outcome
  /** All pairs, or each method against the baseline; `size` is the number of p-values that Holm's adjustment covers. */
  family: { kind: 'all-pairs' | 'baseline'; baseline: string | null; size: number }
  /** Largest difference that still counts as no worse, set before the run, in the outcome's unit. */
  margin: number | null
  resamples: number
  seed: number
  /** Simulated numbers have estimates and intervals, no p-value and no verdict. */
  simulated: boolean
  /** The replies were recorded earlier: their time is unknown, and nothing is said of it. Absent: they were not. */
  recorded?: true
  /** They are the results of another harness. Absent: they are not. */
  imported?: true
  /** Simulated numbers that are tested anyway, to measure how often the procedures are wrong. */
  calibration: boolean
  /** Injected faults that all trials ran with; null: none. */
  faults: string | null
  /** Why there are no p-values and verdicts at all; null: there are. */
  silence: Refusal | null
  /** The stop rule of the run: its number of looks, and the task at which every pair was settled. */
  stop: { rule: StopRule; looks: number; settledAt: number | null } | null
  /** Tasks in the order of the computations below. */
  tasks: string[]
  /** Number of clusters of these tasks, which are the units of tests and limits; null: each task is a unit. */
  clusters: number | null
  methods: MethodEstimates[]
  pairs: PairComparison[]
  /** The primary outcome by suite and pair; empty for a single suite. */
  suites: SuiteRow[]
  /** Ratios of costs per success, tested as one family. */
  prices: PriceClaim[]
  /** Everything that may be said beyond a number; no report says more. */
  claims: Claim[]
  /** The families that were tested, with their sizes and levels. */
  families: FamilySize[]
  frontiers: { tokens: Frontier; costUsd: Frontier }
  /** Whether differences of methods depend on the agents; empty for a single set of agents. */
  interactions: Interaction[]
  /** How differences from the baseline vary with properties of the tasks; absent if no stated property splits the tasks. */
  byProperty?: PropertyRow[]
  /** What choosing the method by a property, or by the suite, gains over the best single method; absent for simulated numbers and without groups. */
  choices?: GroupChoice[]
  /** Rows with trials in which people took part, and how many; absent if people took part in no trial. */
  touched?: { label: string; trials: number }[]
  /** Tasks whose tests ran in the solution's process, as they say: a solution can fake their scores; absent: none. */
  oneProcess?: number
  /** Whether three methods or more differ at all; only for live numbers that are tested. */
  omnibus?: Omnibus | null
}

/** One method with one set of agents; every mean is a mean of task means. */
export interface MethodEstimates {
  /** The method's label, with its agents if it ran with several sets. */
  label: string
  method: string
  agents: string
  /** Label of the set of agents, if the run has several. */
  set: string | null
  nTasks: number
  epochs: { min: number; max: number }
  /** `missing`: infrastructure failed, cancelled, or planned but not run. */
  trials: { run: number; graded: number; missing: number }
  success: Interval & { interval: 'wilson' | 'korn-graubard' | null; refusal: Refusal | null }
  /** Limits are clipped to [0, 1]. */
  score: TaskMeanInterval
  spent: Record<Spent, SpentEstimate>
  /** `rough`: few tasks were solved, or one (`largest`) holds more than 20% of the cost, so the interval may be too narrow. */
  costPerSuccess: CostPerSuccess & {
    nMissing: number
    nTasks: number
    solvedTasks: number
    largest: LargestTask | null
    rough: boolean
  }
  /** Chance that at least one, and that all, of k trials pass; k is the smallest number of graded trials of a task. Null if k is below 2. */
  reliability: { k: number; some: PassRateInterval; all: PassRateInterval } | null
  /** Of the primary outcome. */
  variance: VarianceComponents
  /** Only for live numbers that are tested. */
  sensitivity?: MethodSensitivity
}

/** A pass rate over k trials: Wilson where the rate of every task is 0 or 1, else Korn and Graubard. Null: no limits. */
export interface PassRateInterval extends Interval {
  interval: 'wilson' | 'korn-graubard' | null
}

/** What one method spends per trial. */
export interface SpentEstimate {
  /** Mean over tasks; `nMissing` counts trials with an unknown amount. */
  mean: TaskMeanInterval
  /** Geometric mean: the typical task. */
  typical: Interval & { refusal: Refusal | null }
  /** The largest task, if it holds more than 20% of the total. */
  largest: LargestTask | null
}

/** A against B: differences are A - B, ratios A / B. */
export interface PairComparison {
  a: string
  b: string
  /** The methods used different models, or models with different settings, so the cause of a difference is unknown. */
  confounded: Confounding | null
  /** Which agents answer is what the two methods are, and they ask other models; absent for other pairs. */
  mixes?: Confounding
  /** The two sides had different tools; absent if they had the same. */
  tools?: ToolDifference
  outcome: OutcomeDifference
  /** p of `outcome.claimP` adjusted over the family (Holm). */
  adjustedP: number | null
  /** With a margin: tests that A (B) is not worse than the other by more. One-sided at half of 1 - confidence, Holm over all such tests. */
  notWorse: { a: MarginTest; b: MarginTest }
  /** With a margin: test that they differ by less. At 1 - confidence, Holm over all such tests. */
  equivalent: MarginTest
  /** Null for simulated numbers. */
  verdict: Verdict | null
  /** How the printed interval and the word seem to contradict each other; null: they do not, or one of them is missing. */
  mismatch: IntervalMismatch | null
  /** Signs in the data that a procedure is wrong more often than its level says; empty: none seen. */
  warnings: PairWarning[]
  /** How the suites agree with the verdict, which is over all tasks: a suite weighs by its tasks. Null for a single suite. */
  suites: SuiteAgreement | null
  spent: Record<Spent, SpentDifference>
  costPerSuccess: PriceRatio
  /** The method that is better or not worse on the outcome and cheaper, each at the family's level; null: not shown. */
  dominates: { tokens: string | null; costUsd: string | null }
  /** Result of the stop rule, valid at every look; null without a rule. */
  sequence: InterimLook | null
  planning: PairPlanning
  /** How often outcomes flip between the two, and within each; absent where no method ran twice on a task. */
  flips?: FlipRates
  sensitivity?: PairSensitivity
}

/** A pair before it is explained. */
export type ComparedPair = Omit<PairComparison, 'mismatch' | 'warnings' | 'suites'>

/** A pair on the tasks of one suite. */
export interface SuiteRow extends Interval {
  suite: string
  a: string
  b: string
  nTasks: number
  /** Means over the tasks that both methods have. */
  meanA: number | null
  meanB: number | null
  /** p of the difference on this suite, and the same adjusted over all suites and pairs (Holm). */
  p: number | null
  adjustedP: number | null
  /** Why there is no p, or why it does not count. */
  refusal: Refusal | null
}

/** Interaction of methods and agents: (A - B with the first set) - (A - B with the second). */
export interface Interaction extends Interval {
  /** Labels of the two methods, and of the two sets of agents. */
  a: string
  b: string
  first: string
  second: string
  se: number | null
  /** Tasks on which all four have a value, and tasks left out. */
  nTasks: number
  nDropped: number
  refusal: Refusal | null
}

/** Frontier of success (more is better) and spending (less is better), over the tasks where all methods are known. */
export interface Frontier {
  /** Tasks of the frontier; and tasks with a success of some placed method that are left out of it. */
  nTasks: number
  nDropped: number
  points: {
    label: string
    /** Both over the tasks of the frontier; with `nDropped` they differ from the method's estimates over all its tasks. */
    success: number | null
    spent: number | null
    /** No other method spends less, so it is on the frontier whatever its success. */
    cheapest: boolean
    onFrontier: boolean | null
    /** Share of resamples of tasks in which the method is on the frontier: stability, not a p-value. */
    membership: number | null
    /** `on` from 95%, `off` up to 5%, else `undecided`; null for simulated numbers. */
    word: 'on' | 'off' | 'undecided' | null
  }[]
}
