import type { GraphPlan, PlanStep, PlanWork } from '../../../src/schema/graph/plan.ts'
import type { Context } from '../../../src/workflows/graph/ask-step.ts'
import { runPlan } from '../../../src/workflows/graph/run-plan.ts'
import { type AnyContext, strategyOf } from './trial.ts'

/** The work of a step, as a test says it. */
export const workOf = (change: Partial<PlanWork> = {}): PlanWork => ({
  ...{ task: 'work', agent: 'solver', role: 'solver', provider: null, work: 'produce' },
  ...{ prompt: 'Do it.', tools: [], on_failure: 'fail', retries: 0 },
  ...change,
})

/** A step of a plan. `judge`, `planner` and `summarizer` have kinds of work of their own; see `strategyOf`. */
export const planStep = (id: string, needs: string[] = [], change: Partial<PlanStep> = {}): PlanStep => ({
  ...workOf({ prompt: `do ${id}` }),
  ...{ id, needs, parts: [] },
  ...change,
})

/** A judge's step. */
export const judgeStep = (id: string, needs: string[], change: Partial<PlanStep> = {}): PlanStep =>
  planStep(id, needs, { agent: 'judge', role: 'judge', work: 'judge', ...change })

/** A plan of these steps. */
export const planOf = (steps: PlanStep[], change: Partial<GraphPlan> = {}): GraphPlan => ({
  ...{ version: 1, name: 'test', workflow: 'main', digest: 'd', seed: 0, max_concurrency: 4 },
  ...{ conflict: 'fail', providers: {}, input: null, answer: null, steps },
  ...change,
})

/** A strategy that runs a plan. */
export const runsPlan = (plan: GraphPlan) =>
  strategyOf((context: AnyContext) => runPlan(context as Context, plan))
