import type { BudgetMatch } from '../schema/ledger/budget-match.ts'
import type { Outcome } from '../schema/ledger/outcome.ts'
import type { Fidelity } from '../schema/method/declaration.ts'
import type { LargestTask } from './compare/comparison.ts'
import type { CostPerSuccess } from './ratios/cost-per-success.ts'
import type { Interval } from './tasks/interval.ts'
import type { WorkflowSums } from './workflow-sums.ts'

/** A number that may be unknown (null, never 0), or only known to be at least this much because calls went unreported. */
export interface Amount {
  value: number | null
  lowerBound: boolean
}

/** One task under one method. */
export interface TaskCell {
  task: string
  /** Trials that have a record, those that were graded, and those that passed. */
  run: number
  graded: number
  passed: number
  /** Trials that ended in an infrastructure error or were cancelled. */
  missing: number
}

/** A method's mean against the baseline's, over the tasks where both are known. */
export interface Saving {
  /** 100 (1 - method / baseline), in percent, cost at list prices; negative: it spends more. Null: nothing to compare, or a baseline of 0. */
  percent: number | null
  /** Tasks that count, and tasks of the summary that had to be left out. */
  tasks: number
  dropped: number
  /** The baseline spent nothing, so that there is no ratio. */
  zeroBaseline: boolean
}

/** Estimates only: neither an interval nor a claim. */
export interface AgainstBaseline {
  tokens: Saving
  cost: Saving
  /** Success minus the baseline's, in percentage points, paired by task. */
  success: {
    points: number | null
    tasks: number
    dropped: number
    /** What the points could be if the missing trials had ended one way or the other; null where none is missing. */
    bounds: { low: number; high: number } | null
  }
}

/** Matched budgets as they came out: by task, and in all over the `nTasks` tasks where both are known. */
interface BudgetRatio extends Pick<BudgetMatch, 'method' | 'unit'> {
  ratio: number | null
  /** The total is within 10%. */
  isMatched: boolean
  nTasks: number
  tasks: { task: string; attempts: number | null; ratio: number | null }[]
}

/** One row: a method with one set of agents. Every mean is a mean of task means, so that tasks weigh the same. */
export interface MethodSummary {
  method: string
  agents: string
  /** Label of the set of agents, where the run has several of them. */
  set: string | null
  isBaseline: boolean
  /** Tasks with a record, and the fewest and most records of a task. */
  tasks: number
  epochs: { min: number; max: number }
  trials: {
    /** Null: not told. */
    planned: number | null
    run: number
    /** Planned, but without a record. */
    notRun: number | null
    /** Missing: infrastructure failed, or a person cancelled. */
    error: number
    cancelled: number
    /** Ended, but there was nothing to grade with. */
    ungraded: number
    graded: number
    passed: number
  }
  outcomes: Record<Outcome['status'], number>
  /** What it spent for what the method did that it was to match, as a ratio; null: it was to match none. */
  match: BudgetRatio | null
  /** Trials in which who chose among what was made had made some of it, and as which agent; null: none. */
  ownJudge: { trials: number; agent: string } | null
  /** Trials whose method claimed to be done and delivered nothing, and how many of them passed all the same. */
  doneWithNothing: { trials: number; passed: number }
  /** Of trials that ran a workflow; null: none did. */
  workflow: WorkflowSums | null
  /** Trials by whether what ran is what their strategy declares; `first`: the first that deviates, and where. */
  fidelity: Record<Fidelity['status'], number> & { first: { trial: string; at: string } | null }
  /** `interval` null: too few tasks for one. `tasks` are those with a graded trial. */
  success: Interval & { interval: 'wilson' | 'korn-graubard' | null; tasks: number }
  /** Mean score, 0 to 1. */
  score: number | null
  /** Per trial; `total` is input and output. */
  tokens: { total: Amount; input: Amount; output: Amount; cached: Amount }
  /** US dollars as billed. `total` counts every trial, missing ones too. */
  cost: { perTrial: Amount; total: Amount }
  /** The same at list prices, had nothing been cached. */
  listCost: { perTrial: Amount; total: Amount }
  /** What agents themselves said that calls cost, and what we computed for these calls; null where none said so. */
  reported: { calls: number; costUsd: number; computedUsd: number } | null
  /** What grading cost beside it (judges); null where none was told. */
  gradingCostUsd: number | null
  /** US dollars; over the graded trials whose cost is known, and a lower bound over all of them where kind is `at-least`. `solvedTasks`: tasks with a success; `largest`: the one that holds more than 20% of it. */
  costPerSuccess: CostPerSuccess & {
    trials: number
    tasks: number
    solvedTasks: number
    largest: LargestTask | null
    dropped: number
  }
  /** Medians over tasks. The clock is the trials' own, simulated or measured; ms. */
  iterations: number | null
  clockMs: number | null
  /** Per trial. */
  calls: number | null
  checks: number | null
  /** Calls whose tokens, cost or list price nobody told, and the trials that they belong to. */
  unreported: Record<`${'token' | 'cost' | 'list'}${'Calls' | 'Trials'}`, number>
  /** With the same set of agents; null for the baseline itself, and where there is none. */
  againstBaseline: AgainstBaseline | null
  /** The same against each other method that ran with the same agents. */
  againstOthers: (AgainstBaseline & { method: string })[]
  cells: TaskCell[]
}

/** What all records of a run say, by method and agents. Plain data. */
export interface Summary {
  /** Level of every interval. */
  confidence: number
  /** Made-up numbers: they describe `profiles`, not the methods. */
  simulated: boolean
  profiles: string[]
  /** Faults injected on purpose, as written after `--inject`: the numbers describe them as well. Null: none. */
  faults: string | null
  /** Trials in which code or an agent ran without a sandbox; absent: in none. */
  unsandboxed?: number
  /** The baseline's label as asked for. */
  baseline: string | null
  /** Methods that were asked for and have no record; with their agents where there are several sets. */
  absent: string[]
  /** All tasks with a record, in order of first appearance. */
  tasks: string[]
  records: number
  methods: MethodSummary[]
}
