import type { BudgetMatch } from '../schema/ledger/budget-match.ts'
import type { Outcome } from '../schema/ledger/outcome.ts'
import type { LeftOut, ModelCalls, PeopleCounts, ToolCounts } from '../schema/ledger/record.ts'
import type { Finish } from '../schema/ledger/step.ts'
import type { Fidelity } from '../schema/method/declaration.ts'
import type { ActingTrials, Activities } from './mechanisms.ts'
import type { CostPerSuccess } from './ratios/cost-per-success.ts'
import type { Interval } from './tasks/interval.ts'
import type { LargestTask } from './tasks/task-value.ts'
import type { ToolSavings } from './tool-savings.ts'
import type { MachineSums, WorkflowSums } from './workflow/sums.ts'

/** How the replies of a method ended and who gave them, over all its trials with a record. */
export interface ReplyCounts {
  /** All calls of these trials. */
  calls: number
  /** Replies that did not end by `stop`, or by a call of a tool that the ask has. */
  finishes: Partial<Record<Finish, number>>
  /** Calls that another model answered than was asked for. */
  otherModels: ModelCalls[]
  /** The models that answered, by agent. */
  served: ModelCalls[]
}

/** Trials that ended in error for one reason. */
export interface TrialErrors {
  /** The reason of an ask's failure, such as `key`; `other` for any other fault. */
  reason: string
  trials: number
  /** What the first of these trials was told. */
  first: string
}

/** Calls of tools by the agents of a method, over its trials. */
export interface ToolUse extends Required<Omit<ToolCounts, 'servers'>> {
  /** Trials in which a tool was called. */
  trials: number
}

/** A number that may be unknown (null, never 0), or a lower bound because some calls were not reported. */
export interface Amount {
  value: number | null
  lowerBound: boolean
}

/** One task under one method. */
export interface TaskCell {
  task: string
  /** Trials with a record, graded trials, and passed trials. */
  run: number
  graded: number
  passed: number
  /** Trials that ended in an infrastructure error, or were cancelled. */
  missing: number
}

/** A method's mean against the baseline's, over the tasks where both are known. */
export interface Saving {
  /** 100 (1 - method / baseline), in percent, cost at list prices; negative: it spends more. Null: nothing to compare, or a baseline of 0. */
  percent: number | null
  /** Tasks that count, and tasks of the summary that were left out. */
  tasks: number
  dropped: number
  /** The baseline spent nothing, so there is no ratio. */
  zeroBaseline: boolean
}

/** Estimates without intervals or claims. */
export interface AgainstBaseline {
  tokens: Saving
  cost: Saving
  /** Success minus the baseline's, in percentage points, paired by task. */
  success: {
    points: number | null
    tasks: number
    dropped: number
    /** Lowest and highest points that the missing trials allow; null if none is missing. */
    bounds: { low: number; high: number } | null
  }
}

/** Spend relative to the matched method: by task, and in total over the `nTasks` tasks where both are known. */
interface BudgetRatio extends Pick<BudgetMatch, 'method' | 'unit'> {
  ratio: number | null
  /** Whether the total is within 10%. */
  isMatched: boolean
  nTasks: number
  tasks: { task: string; attempts: number | null; ratio: number | null }[]
}

/** One row: a method with one set of agents. Every mean is a mean of task means, so all tasks weigh the same. */
export interface MethodSummary {
  method: string
  agents: string
  /** The agents of the roles that the method has, as its table shows them; absent: as in `agents`. */
  roleAgents?: string
  /** Its agents with a label or settings, such as `coder=openai:gpt-5: reasoning high`; absent: none. */
  agentLegend?: string[]
  /** Its agents of one model or family, each group as text with their roles; absent: none, or who is asked is not its method. */
  relatedAgents?: string[]
  /** Label of the set of agents, if the run has several. */
  set: string | null
  isBaseline: boolean
  /** Tasks with a record, and the fewest and most records of a task. */
  tasks: number
  epochs: { min: number; max: number }
  trials: {
    /** Null: not given. */
    planned: number | null
    run: number
    /** Planned, but without a record. */
    notRun: number | null
    /** Missing: infrastructure failed, or a person cancelled. */
    error: number
    cancelled: number
    /** Ended, but the task has no grader. */
    ungraded: number
    graded: number
    passed: number
  }
  outcomes: Record<Outcome['status'], number>
  /** Its spend relative to the method that it had to match; null: none. */
  match: BudgetRatio | null
  /** Trials in which the agent that chose among candidates had made some of them, and that agent; null: none. */
  ownJudge: { trials: number; agent: string } | null
  /** Trials in which people took part, and what they did; absent if they took part in no trial. */
  people?: PeopleCounts & { trials: number }
  /** Trials whose method claimed `done` and delivered nothing, and how many of these passed. */
  doneWithNothing: { trials: number; passed: number }
  /** Sums over trials that ran a workflow; null: none did. */
  workflow: WorkflowSums | null
  /** Sums over trials that ran a workflow of states; null: none did. */
  machine: MachineSums | null
  /** What compact reports of tools saved in its stages; absent: no tool ran in one. */
  savings?: ToolSavings
  /** What its mechanisms did; absent: it has none that is counted. */
  mechanisms?: Activities
  /** What came of the trials in which they acted; empty: it has none. Absent: it declares none and none acted, or nobody asked. */
  acting?: ActingTrials[]
  /** What its agents could call or use, such as `read, list`; absent where no method of the run had tools. */
  tools?: string
  /** Calls of tools by its agents; absent: none called one. */
  toolUse?: ToolUse
  /** Trials in which the decider of a router was asked, and those in which it named no route; absent: it always named one. */
  decider?: { trials: number; unnamed: number }
  /** Changes by its agents that did not count, and the trials with some; absent: none. */
  leftOut?: LeftOut & { trials: number }
  /** Requests of agents' programs that did not pass, the trials with some, and what providers may have run for them; absent: none. */
  gateway?: { refused: number; trials: number; tools: string[] }
  /** Replies that were cut off or refused, and models that answered and were not asked for; absent: none. */
  replies?: ReplyCounts
  /** Trials in error by reason; absent: none. */
  errors?: TrialErrors[]
  /** Trials in which code or an agent ran without a sandbox; absent: none. */
  unsandboxed?: number
  /** Trials by whether their asks followed the declaration; `first`: the first deviating trial, and where it deviates. */
  fidelity: Record<Fidelity['status'], number> & { first: { trial: string; at: string } | null }
  /** `interval` is null with too few tasks. `tasks` counts those with a graded trial. */
  success: Interval & { interval: 'wilson' | 'korn-graubard' | null; tasks: number }
  /** Mean score, 0 to 1. */
  score: number | null
  /** Per trial; `total` is input and output. */
  tokens: { total: Amount; input: Amount; output: Amount; cached: Amount }
  /** US dollars as billed. `total` includes missing trials. */
  cost: { perTrial: Amount; total: Amount }
  /** The same at list prices with nothing cached. */
  listCost: { perTrial: Amount; total: Amount }
  /** Costs that agents reported themselves, and the computed costs of the same calls; null if none were reported. */
  reported: { calls: number; costUsd: number; computedUsd: number } | null
  /** Cost of grading by judges, not part of the bill; null if none was reported. */
  gradingCostUsd: number | null
  /**
   * US dollars over the graded trials with a known cost; a lower bound over all graded trials if kind is `at-least`.
   * `solvedTasks`: tasks with a success; `largest`: the task that holds more than 20% of the cost.
   */
  costPerSuccess: CostPerSuccess & {
    trials: number
    tasks: number
    solvedTasks: number
    largest: LargestTask | null
    dropped: number
  }
  /** Medians over tasks. The clock is that of the trials, simulated or measured; ms. */
  iterations: number | null
  clockMs: number | null
  /** What 95% of its trials spent at most: US dollars as billed, and ms of their clock; null: unknown. */
  p95: { costUsd: number | null; durationMs: number | null }
  /** Per trial. */
  calls: number | null
  checks: number | null
  /** Calls with unknown tokens, cost or list price, and the trials that they belong to. */
  unreported: Record<`${'token' | 'cost' | 'list'}${'Calls' | 'Trials'}`, number>
  /** Compared with the baseline that has the same agents; null for the baseline itself, or without one. */
  againstBaseline: AgainstBaseline | null
  /** Compared with each other method that has the same agents. */
  againstOthers: (AgainstBaseline & { method: string })[]
  cells: TaskCell[]
}

/** A row beside the earlier runs of the same tasks, with the same agents. */
export interface EarlierRow {
  method: string
  set: string | null
  /** How many earlier runs have it. */
  runs: number
  /** Their success, all together. */
  success: Interval
  /** Cost now in percent below theirs, by list prices; null: unknown. */
  saved: { saved: number | null; lower: number | null; upper: number | null }
  /** Its options, its documents or its code are not as in all of them. */
  isChanged: boolean
}

/** Summary of the records of a run by method and agents. Plain data. */
export interface Summary {
  /** Level of every interval. */
  confidence: number
  /** Simulated numbers describe `profiles`, not the methods. */
  simulated: boolean
  /** The replies were recorded earlier: their time is unknown. Absent: they were not. */
  recorded?: true
  /** They are the results of another harness. Absent: they are not. */
  imported?: true
  profiles: string[]
  /** Injected faults, as written after `--inject`; null: none. The numbers describe the faults, too. */
  faults: string | null
  /** Trials in which code or an agent ran without a sandbox; absent: none. */
  unsandboxed?: number
  /** Paid calls in the void row of the run's bill, which may have been charged twice; absent: none. */
  paidTwice?: number
  /** Tasks whose tests ran in the solution's process, as they say: a solution can fake their scores; absent: none. */
  oneProcess?: number
  /** Label of the requested baseline. */
  baseline: string | null
  /** Requested methods without a record; with the label of their agents if there are several sets. */
  absent: string[]
  /** Their planned trials; absent: none, or their number is not known. */
  absentTrials?: number
  /** Workers do the run, so that planned trials without a record here may have one in a block. */
  inBlocks?: true
  /** All tasks with a record, in order of first appearance. */
  tasks: string[]
  records: number
  methods: MethodSummary[]
}
