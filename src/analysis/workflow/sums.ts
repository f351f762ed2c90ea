import type { CriterionScores } from '../agreement/agreement.ts'
import type { KnownSum } from './calls.ts'

/** One state of one workflow: the trials that reached it, its visits, and means over the visits. */
export interface StateSums {
  workflow: string
  state: string
  type: string
  trials: number
  visits: number
  /** Visits in which some agents failed, and some did not; and in which all failed. */
  partialFailures: number
  allFailed: number
  /** Per visit; time on the trial's clock. */
  ms: number
  tokens: KnownSum
  costUsd: KnownSum
}

/** What is counted by name. */
export const named = ['breaks', 'decisions', 'verdicts', 'ends', 'guidance', 'approvals'] as const
/** One of these. */
export type Named = (typeof named)[number]

/**
 * Sums over the workflows of states that a method's trials ran. By name: broken rules and hard limits, decisions of the orchestrator,
 * verdicts of gates, how trials ended, where guidance came from, and answers of approvals.
 */
export interface MachineSums extends Readonly<Record<Named, Readonly<Record<string, number>>>> {
  trials: number
  states: StateSums[]
  /** How often each transition was taken, and in how many trials. */
  transitions: { workflow: string; from: string; result: string; to: string; times: number; trials: number }[]
  /** The states of whole trials in order, the most frequent path first. */
  paths: { workflow: string; path: string[]; trials: number }[]
  /** Runs of agents, and those that failed or ran out of time. */
  runs: { all: number; failed: number; timeout: number }
  /** Visits in which some agents failed, and some did not. */
  partialFailures: number
  /** What decisions of the orchestrator spent, which is part of no visit. */
  decided: { tokens: KnownSum; costUsd: KnownSum }
  scores: CriterionScores[]
  /** What the first trials handed in. Preview: its first words; null: the run's `capture` leaves them out. */
  delivered: {
    trial: string
    task: string
    epoch: number
    path: string
    words: number
    preview: string | null
  }[]
}

/** Sums and means over the workflows of stages that a method's trials ran. */
export interface WorkflowSums {
  trials: number
  /** Requested changes per trial. */
  iterations: number
  /** Outputs converted into another format, outputs that could not be read, and the share converted; null: neither. */
  conversions: { done: number; failed: number; rate: number | null }
  /** Mean share of needs that were met; null: no stage had a need. */
  satisfaction: number | null
  /** Mean of (stages with output) / (runs of stages). */
  efficiency: number
  /** For each unmet need the number of trials in which a stage ran last without it. */
  unmet: Readonly<Record<string, number>>
  /** The trials that reached a stage, its runs, and their total clock time in ms. */
  stages: readonly {
    workflow: string
    stage: string
    agent: string
    trials: number
    runs: number
    ms: number
  }[]
}
