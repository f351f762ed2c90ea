import type { GraphPlan, GraphRecord, PlanStep } from '../../schema/graph/plan.ts'
import type { Workspace } from '../../strategy.ts'

/** What a step came to. */
export interface StepDone {
  /** What the steps behind it read, and the answer if the step's is the answer. */
  text: string
  /** The files as the step left them. */
  workspace: Workspace
  /** What it wants done by steps that it adds. */
  parts?: readonly Part[]
}

/** A piece of work for a step that is added at run time. */
export interface Part {
  /** The worker who does it; absent where there is one executor. */
  worker?: string
  text: string
}

/** A step that another one added. */
export interface AddedStep {
  step: PlanStep
  /** What it does of the whole; absent for another turn of the step that added it. */
  part?: string
}

type Choice = GraphRecord['choices'][string]

/** See `createGraphLog`. */
export type GraphLog = ReturnType<typeof createGraphLog>

/** Keeps what happens in a graph of a trial: the plan with all added steps, and what came of each. */
export function createGraphLog(plan: GraphPlan) {
  const steps: PlanStep[] = [...plan.steps]
  const added = new Map<string, { by: string; part: string | undefined }>()
  const done = new Map<string, StepDone>()
  const failed = new Map<string, Error>()
  const choices = new Map<string, Choice>()
  /** Returns the last step, in plan order, of those that a step added, or itself. */
  const lastOf = (id: string): string => {
    const byIt = steps.findLast((step) => added.get(step.id)?.by === id)
    return byIt ? lastOf(byIt.id) : id
  }
  /** Returns the steps under one that it added, directly or not, and that no other of these needs; itself if it added none. */
  const endsOf = (id: string): string[] => {
    const under = steps.filter((step) => step.id !== id && done.has(step.id) && isUnder(step.id, id))
    const ends = under.filter((step) => !under.some(({ needs }) => needs.includes(step.id)))
    return ends.length > 0 ? ends.map((step) => step.id) : [id]
  }
  const isUnder = (id: string, above: string): boolean => {
    const by = added.get(id)?.by
    return by !== undefined && (by === above || isUnder(by, above))
  }
  /** Returns the step of the plan that added a step, directly or not, or itself. */
  const rootOf = (id: string): string => {
    const by = added.get(id)?.by
    return by === undefined ? id : rootOf(by)
  }
  const statusOf = (id: string) => (done.has(id) ? 'done' : failed.has(id) ? 'failed' : 'skipped')
  return {
    plan,
    /** The plan with all added steps, in plan order. */
    steps: steps as readonly PlanStep[],
    done: done as ReadonlyMap<string, StepDone>,
    failed: failed as ReadonlyMap<string, Error>,
    keepDone: (id: string, result: StepDone) => void done.set(id, result),
    keepFailure: (id: string, error: Error) => void failed.set(id, error),
    keepChoice: (id: string, choice: Choice) => void choices.set(id, choice),
    /** Adds steps right behind the one that wants them, as the scheduler does. */
    add(by: string, more: readonly AddedStep[]) {
      const at = steps.findIndex(({ id }) => id === by)
      steps.splice(at + 1, 0, ...more.map(({ step }) => step))
      for (const { step, part } of more) added.set(step.id, { by, part })
    },
    lastOf,
    endsOf,
    rootOf,
    record(): GraphRecord {
      return {
        ...{ name: plan.name, workflow: plan.workflow, digest: plan.digest },
        steps: steps.map(({ id, needs, agent }) => {
          const { by, part } = added.get(id) ?? {}
          const reason = failed.get(id)?.message
          return {
            ...{ id, needs, agent, status: statusOf(id) },
            ...(reason !== undefined && { reason }),
            ...(by !== undefined && { addedBy: by }),
            ...(part !== undefined && { part }),
          }
        }),
        choices: Object.fromEntries(choices),
      }
    },
  }
}
