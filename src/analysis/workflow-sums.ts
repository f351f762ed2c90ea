import { WorkflowRecord } from '../schema/method/workflow-record.ts'

/** What the workflows of a method's trials came to: sums and means over its trials. */
export interface WorkflowSums {
  trials: number
  /** Changes that were asked for, per trial. */
  iterations: number
  /** Outputs put into another format, outputs that could not be read, and the share of the former; null: there were neither. */
  conversions: { done: number; failed: number; rate: number | null }
  /** Mean share of the needs that were met; null: no stage needed anything. */
  satisfaction: number | null
  /** Mean of stages that gave something by runs of stages. */
  efficiency: number
  /** Needs by the number of trials in which a stage last ran without them. */
  unmet: Readonly<Record<string, number>>
  stages: readonly StageSums[]
}

/** One stage of one workflow: the trials that came to it, its runs, and milliseconds of their clocks in all. */
interface StageSums {
  workflow: string
  stage: string
  agent: string
  trials: number
  runs: number
  ms: number
}

/** What is kept of the records. */
export interface WorkflowTally {
  trials: number
  iterations: number
  done: number
  failed: number
  satisfaction: number
  satisfied: number
  efficiency: number
  unmet: Map<string, number>
  stages: Map<string, StageSums>
}

/** Adds what a record says of its workflow, if it ran one. */
export function addWorkflow(tally: WorkflowTally | null, state: unknown): WorkflowTally | null {
  if (state === undefined) return tally
  const { data: record } = WorkflowRecord.safeParse(state)
  // A strategy of the user's own may use the name for something else.
  if (!record) return tally
  const sums = tally ?? emptyTally()
  sums.trials++
  sums.iterations += record.iterations
  sums.done += record.conversions.done
  sums.failed += record.conversions.failed
  sums.efficiency += record.efficiency
  if (record.satisfaction !== null) {
    sums.satisfaction += record.satisfaction
    sums.satisfied++
  }
  for (const item of new Set(record.stages.flatMap(({ unmet }) => unmet)))
    sums.unmet.set(item, (sums.unmet.get(item) ?? 0) + 1)
  for (const { stage, agent, runs, ms } of record.stages) {
    const key = `${record.workflow}/${stage}`
    const before = sums.stages.get(key) ?? {
      workflow: record.workflow,
      stage,
      agent,
      trials: 0,
      runs: 0,
      ms: 0,
    }
    sums.stages.set(key, {
      ...before,
      trials: before.trials + 1,
      runs: before.runs + runs,
      ms: before.ms + ms,
    })
  }
  return sums
}

/** The sums; null where no trial ran a workflow. */
export function workflowSums(tally: WorkflowTally | null): WorkflowSums | null {
  if (!tally) return null
  const { trials, iterations, done, failed, satisfaction, satisfied, efficiency, unmet, stages } = tally
  return {
    trials,
    iterations: iterations / trials,
    conversions: { done, failed, rate: done + failed === 0 ? null : done / (done + failed) },
    satisfaction: satisfied === 0 ? null : satisfaction / satisfied,
    efficiency: efficiency / trials,
    unmet: Object.fromEntries([...unmet].sort(([a], [b]) => (a < b ? -1 : 1))),
    stages: [...stages.values()].sort((a, b) =>
      a.workflow < b.workflow ? -1 : a.workflow > b.workflow ? 1 : 0,
    ),
  }
}

const emptyTally = (): WorkflowTally => ({
  trials: 0,
  iterations: 0,
  done: 0,
  failed: 0,
  satisfaction: 0,
  satisfied: 0,
  efficiency: 0,
  unmet: new Map(),
  stages: new Map(),
})
