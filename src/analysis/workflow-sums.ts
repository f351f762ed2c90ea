import { WorkflowRecord } from '../schema/method/workflow-record.ts'

/** Sums and means over the workflows of a method's trials. */
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
  stages: readonly StageSums[]
}

/** One stage of one workflow: the trials that reached it, its runs, and their total clock time in ms. */
interface StageSums {
  workflow: string
  stage: string
  agent: string
  trials: number
  runs: number
  ms: number
}

/** Running sums over records. */
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

/** Adds the workflow of a record, if it ran one. `state` is the record's `state.collaboration`. */
export function addWorkflow(tally: WorkflowTally | null, state: unknown): WorkflowTally | null {
  if (state === undefined) return tally
  const { data: record } = WorkflowRecord.safeParse(state)
  // A user strategy may use the field for something else.
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

/** Returns the sums; null if no trial ran a workflow. */
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
