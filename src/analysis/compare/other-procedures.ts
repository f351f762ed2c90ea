import type { SignedRankTest } from '../paired/wilcoxon-signed-rank.ts'
import type { Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import type { BcaInterval, BootstrapInterval } from '../resampling/bootstrap.ts'
import type { Interval } from '../tasks/interval.ts'
import type { ClusteredMean } from '../tasks/mean-interval.ts'

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
