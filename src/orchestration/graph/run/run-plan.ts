import type { GraphPlan, PlanStep } from '../../../schema/graph/plan.ts'
import type { StrategyResult } from '../../../strategy.ts'
import { AgentError, asError, ConflictError, LimitError } from '../../../text/errors.ts'
import { createGraphLog, type GraphLog } from './graph-log.ts'
import { planSteps } from './plan-steps.ts'
import { stepName } from './step-name.ts'
import type { Context } from './step-prompt.ts'

/**
 * Runs a plan. Without a `produce` step that ended it throws the first failure, so that a provider that is down is no failure of
 * the method. At a limit of the trial, which decides its outcome anyway, it returns, so that the record has the expanded plan.
 */
export async function runPlan(context: Context, plan: GraphPlan): Promise<StrategyResult> {
  const log = createGraphLog(plan)
  const stopped = await run(context, log)
  const made = log.steps.some(({ id, work }) => work === 'produce' && log.done.has(id))
  const [failure] = log.steps.flatMap(({ id }) => log.failed.get(id) ?? [])
  if (failure && !made && !(stopped instanceof LimitError)) throw failure
  const answer = answerOf(log, stopped)
  return {
    ...(answer !== undefined && { answer }),
    ...endOf(log, stopped),
    state: { graph: log.record() },
  }
}

/** Runs the steps. Returns the error of a step that ended the graph. */
async function run(context: Context, log: GraphLog): Promise<Error | undefined> {
  const { max_concurrency: concurrency, conflict } = log.plan
  try {
    const results = await context.graph(planSteps(log), { concurrency, conflict })
    // A step whose files could not be joined failed before it ran.
    for (const [id, result] of results)
      if (result.status === 'failed' && !log.failed.has(id)) log.keepFailure(id, asError(result.error))
    return undefined
  } catch (thrown) {
    if (thrown instanceof AgentError || thrown instanceof ConflictError || thrown instanceof LimitError)
      return thrown
    throw thrown
  }
}

/**
 * Returns the reply of the step that the plan names. Undefined where it has none, or is behind a step that ended the graph: then
 * the answer is what a `produce` step said last in plan order.
 */
function answerOf({ plan, steps, done, failed, lastOf }: GraphLog, stopped: Error | undefined) {
  if (plan.answer === null) return undefined
  const placeOf = (wanted: (step: PlanStep) => boolean) => steps.findIndex(wanted)
  const last = lastOf(plan.answer)
  const end = stopped ? placeOf(({ id }) => failed.get(id) === stopped) : steps.length
  return placeOf(({ id }) => id === last) < end ? done.get(last)?.text : undefined
}

function endOf(log: GraphLog, stopped: Error | undefined): Pick<StrategyResult, 'stopReason' | 'detail'> {
  const failures = [...log.steps].flatMap(({ id }) => {
    const error = log.failed.get(id)
    return error && error !== stopped ? [`${stepName(id)}: ${error.message}`] : []
  })
  const ended = log.steps.find(({ id }) => log.failed.get(id) === stopped)
  const detail = [
    ...(stopped
      ? [`${ended ? `step ${stepName(ended.id)} failed` : 'a step failed'}: ${stopped.message}`]
      : []),
    ...(failures.length > 0 ? [`went on without ${failures.join('; ')}`] : []),
  ]
  if (detail.length > 0) return { stopReason: 'halted', detail: detail.join('; ') }
  return { stopReason: 'done', detail: `all ${log.done.size} steps of ${log.plan.workflow} are through` }
}
