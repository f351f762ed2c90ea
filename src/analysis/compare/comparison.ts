import type { StopRule } from '../../schema/run/comparison-plan.ts'
import type { PairedEffectSizes } from '../paired/effect-sizes.ts'
import type { DifferenceVariance } from '../planning/paired-sample-size.ts'
import type { CostPerSuccess } from '../ratios/cost-per-success.ts'
import type { RatioKind } from '../ratios/fieller-ratio.ts'
import type { Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import type { InterimLook } from '../sequential/stop-rule.ts'
import type { Interval } from '../tasks/interval.ts'
import type { TaskMeanInterval } from '../tasks/mean-interval.ts'
import type { VarianceComponents } from '../tasks/variance-components.ts'
import type { Confounding } from './confounding.ts'
import type { MethodSensitivity, Omnibus, PairSensitivity } from './other-procedures.ts'

/** What the primary outcome may be; both are in [0, 1], more being better. */
export type Outcome = 'success' | 'score'
/** What is spent, less being better: tokens, US dollars at uncached list prices, milliseconds of the trial's clock. */
export type Spent = 'tokens' | 'costUsd' | 'durationMs'

/** Several methods on the same tasks: every number with its interval or its refusal. Plain data. */
export interface Comparison {
  confidence: number
  outcome: Outcome
  /** All pairs, or each method against the baseline; `size` counts the p-values that Holm's adjustment is over. */
  family: { kind: 'all-pairs' | 'baseline'; baseline: string | null; size: number }
  /** The difference that still counts as no worse, fixed beforehand, in the outcome's unit. */
  margin: number | null
  resamples: number
  seed: number
  /** Made-up numbers: estimates and intervals only, no p-value and no verdict. */
  simulated: boolean
  /** Made-up numbers that are tested all the same, to see how often the procedures are wrong. */
  calibration: boolean
  /** Faults on purpose that all trials ran with. */
  faults: string | null
  /** Why there is no p-value and no word at all; null: there are. */
  silence: Refusal | null
  /** The rule that the run could stop by: the finished tasks it was asked after, and the one at which all was settled. */
  stop: { rule: StopRule; looks: number; settledAt: number | null } | null
  /** In the order in which everything below was computed. */
  tasks: string[]
  methods: MethodEstimates[]
  pairs: PairComparison[]
  /** The primary outcome by suite and pair; of several suites. */
  suites: SuiteRow[]
  frontiers: { tokens: Frontier; costUsd: Frontier }
  /** Whether differences of methods depend on the agents; none where there is one set of them. */
  interactions: Interaction[]
  /** Whether three methods or more differ at all; only where numbers are tested that are not simulated. */
  omnibus?: Omnibus | null
}

/** One method with one set of agents; every mean is one of task means. */
export interface MethodEstimates {
  /** The method's label, with its agents where it ran with several sets of them. */
  label: string
  method: string
  agents: string
  /** Label of the set of agents, where the run has several. */
  set: string | null
  nTasks: number
  epochs: { min: number; max: number }
  /** `missing`: infrastructure failed, cancelled, or planned and not run. */
  trials: { run: number; graded: number; missing: number }
  success: Interval & { interval: 'wilson' | 'korn-graubard' | null; refusal: Refusal | null }
  /** Limits are clipped to [0, 1]. */
  score: TaskMeanInterval
  spent: Record<Spent, SpentEstimate>
  /** `rough`: few tasks were solved, or one holds more than 20% of the cost (`largest`); its interval may be too narrow. */
  costPerSuccess: CostPerSuccess & {
    nMissing: number
    nTasks: number
    solvedTasks: number
    largest: LargestTask | null
    rough: boolean
  }
  /** Chance that at least one, and that all, of k trials pass; k is the fewest graded trials of a task. Null below 2. */
  reliability: { k: number; some: Interval; all: Interval } | null
  /** Of the primary outcome. */
  variance: VarianceComponents
  /** Only where numbers are tested that are not simulated; so is that of pairs. */
  sensitivity?: MethodSensitivity
}

/** What one method spends per trial. */
export interface SpentEstimate {
  /** The bill: mean over tasks; `nMissing` trials are of an amount that nobody told. */
  mean: TaskMeanInterval
  /** The typical task: geometric mean. */
  typical: Interval & { refusal: Refusal | null }
  /** The largest task, where it holds more than 20% of all. */
  largest: LargestTask | null
}

/** A task that holds much of a total. */
export interface LargestTask {
  task: string
  share: number
}

/** A against B: differences are A - B, ratios A / B. */
export interface PairComparison {
  a: string
  b: string
  /** The two were answered by other models, or by models with other settings: nobody can tell what made the difference. */
  confounded: Confounding | null
  outcome: OutcomeDifference
  /** p of `outcome.claimP` adjusted over the family (Holm). */
  adjustedP: number | null
  /** With a margin: is A, is B, not worse than the other by more than it? One-sided at half of 1 - confidence, Holm over all such tests. */
  notWorse: { a: MarginTest; b: MarginTest }
  /** With a margin: do they differ by less than it? At 1 - confidence, Holm over all such tests. */
  equivalent: MarginTest
  /** Null for simulated numbers. */
  verdict: Verdict | null
  spent: Record<Spent, SpentDifference>
  costPerSuccess: Ratio & { nTasks: number }
  /** Who is better or not worse on the outcome and cheaper, each at the family's level; null: nobody as far as is known. */
  dominates: { tokens: string | null; costUsd: string | null }
  /** What the stop rule says, valid at every look; null without a rule. */
  sequence: InterimLook | null
  planning: PairPlanning
  sensitivity?: PairSensitivity
}

/** A pair on the tasks of one suite. */
export interface SuiteRow extends Interval {
  suite: string
  a: string
  b: string
  nTasks: number
  /** Means of either over the tasks that both have. */
  meanA: number | null
  meanB: number | null
  /** p of the difference on this suite adjusted over the suites of the pair (Holm); of three suites and more. */
  adjustedP: number | null
  /** Why there is none, or why none counts; null of two suites, which are described alone. */
  refusal: Refusal | null
}

/** How much the difference of two methods depends on the agents: (A - B with the first set) - (A - B with the second). */
export interface Interaction extends Interval {
  /** Labels of the two methods, and of the two sets of agents. */
  a: string
  b: string
  first: string
  second: string
  se: number | null
  /** Tasks on which all four have a trial, and those left out. */
  nTasks: number
  nDropped: number
  refusal: Refusal | null
}

/** The primary outcome of a pair. */
export interface OutcomeDifference extends Interval {
  interval: 'newcombe' | 'paired-t' | 'newcombe-majorities' | 'confidence-sequence' | null
  se: number | null
  nTasks: number
  nDropped: number
  /** Tasks on which the two differ. */
  separated: number
  p: number | null
  test: 'mcnemar-mid-p' | 'paired-t' | 'sign-flip' | null
  /** The exact check beside it; `flips` counts random ones, null where it is exact. */
  exactP: number | null
  flips: number | null
  /** What a claim rests on: p, or the greater of both where tasks are few or most are ties. */
  claimP: number | null
  /** Noise of a rerun on these very tasks; another question. */
  rerunSe: number | null
  effect: PairedEffectSizes
  /** Had every missing trial gone against A, or for it; where more than 5% are missing, or the methods differ in them. */
  missing: { low: number | null; high: number | null; decides: boolean } | null
  /** Why there is no p-value or no interval. */
  refusal: Refusal | null
}

/** A test against the margin. */
export interface MarginTest {
  p: number | null
  adjustedP: number | null
  holds: boolean
  refusal: Refusal | null
}

/** What the numbers allow to be said; no other words. */
export type Verdict =
  | { word: 'better' | 'not-worse'; method: string }
  | { word: 'equivalent' | 'not-established' | 'not-separated' | 'too-few-tasks' }

/** What A spends against B over the tasks where both are known. */
export interface SpentDifference {
  nTasks: number
  nDropped: number
  /** Ratio of means (the bill) with Fieller's interval, and the same as percent saved. */
  ratio: Ratio & { kind: RatioKind }
  saved: { saved: number | null; lower: number | null; upper: number | null }
  /** Ratio on the typical task: geometric mean of ratios; another question. */
  typical: Ratio
  /** Median of the tasks' ratios. */
  median: Ratio
  /** The baseline's largest task, where it holds more than 20%, and the ratio without it. */
  largest: (LargestTask & { ratioWithout: number | null }) | null
  /** Paired t test of the difference, and the sign flip beside it. */
  p: number | null
  exactP: number | null
  claimP: number | null
  /** Over the pairs, exploratory (Benjamini-Hochberg). */
  exploratoryP: number | null
  /** Success difference over the same tasks: less spent by giving up is no saving. */
  success: Interval & { nTasks: number }
  /** Who spends less, by an interval clear of 1, and passed the margin's test; null: nobody as far as is known. */
  atEqualSuccess: string | null
  refusal: Refusal | null
}

/** What more of which would show. */
export interface PairPlanning {
  /** Null of fewer than two tasks. Where epochs of a task are not known apart, all variance stands in `omega2`. */
  parts: DifferenceVariance | null
  /** Share of the variance of a task's difference that more epochs would remove; null with one epoch. */
  withinShare: number | null
  /** Smallest difference found with 80% power: in a single test, and in this family by itself. */
  mde: number | null
  mdeInFamily: number | null
  /** `epochs`: noise within tasks is half of it or more, so that epochs help as well. */
  advice: 'tasks' | 'epochs' | null
  refusal: Refusal | null
}

/** Methods on success (up) against what they spend (down), over the tasks where all of them are known. */
export interface Frontier {
  nTasks: number
  points: {
    label: string
    success: number | null
    spent: number | null
    onFrontier: boolean | null
    /** Share of resamples of tasks on the frontier: stability, no p-value. */
    membership: number | null
    /** 95% and more, 5% and less, or between; null for simulated numbers. */
    word: 'on' | 'off' | 'undecided' | null
  }[]
}
