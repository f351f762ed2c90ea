import type { GraphStep } from '../../../graph.ts'
import type { GraphPlan, PlanStep } from '../../../schema/graph/plan.ts'
import { asError } from '../../../text/errors.ts'
import { askStep } from './ask-step.ts'
import { assignTasks, stepsOfTasks } from './assign-tasks.ts'
import { chooseCandidate } from './choose-candidate.ts'
import type { AddedStep, GraphLog, StepDone } from './graph-log.ts'
import { planParts, stepsOfParts } from './plan-parts.ts'
import { type Context, type Inputs, stepPrompt } from './step-prompt.ts'

type Step = GraphStep<Context, StepDone>

/** Returns the steps of a plan for `context.graph`. The log keeps what comes of them. */
export const planSteps = (log: GraphLog): Step[] => log.plan.steps.map((step) => runnable(log, step))

function runnable(log: GraphLog, step: PlanStep): Step {
  const { id, needs, parts, on_failure, conflict, does } = step
  return {
    ...{ id, after: needs, part: parts.map(partOf), onFailure: on_failure },
    ...(conflict && { conflict }),
    async run(context, inputs) {
      try {
        const done = await runStep(log, withPlannedTools(step, log.plan), context, inputs)
        log.keepDone(id, done)
        return done
      } catch (thrown) {
        log.keepFailure(id, asError(thrown))
        throw thrown
      }
    },
    ...(does && does.kind !== 'choose' && { expand: (done: StepDone) => expand(log, step, done) }),
  }
}

/** Leaves out tools that the plan does not hold: plans of earlier runs hold none, although their steps name some. */
const withPlannedTools = (step: PlanStep, { tools = {} }: GraphPlan): PlanStep => ({
  ...step,
  tools: step.tools.filter((id) => Object.hasOwn(tools, id)),
})

function runStep(log: GraphLog, step: PlanStep, context: Context, inputs: Inputs): Promise<StepDone> {
  const { does } = step
  const request = stepPrompt(step, { log, inputs, context })
  context.label({ step: step.id })
  if (does?.kind === 'choose') return chooseCandidate(context, step, does, { log, inputs, ...request })
  if (does?.kind === 'plan') return planParts(context, step, does, request)
  if (does?.kind === 'assign') return assignTasks(context, step, does, request)
  return askStep(context, step, request).then((text) => ({ text, workspace: context.workspace }))
}

function expand(log: GraphLog, step: PlanStep, { parts = [] }: StepDone) {
  const { does } = step
  const added =
    does?.kind === 'plan'
      ? stepsOfParts(step, does, parts)
      : does?.kind === 'assign'
        ? stepsOfTasks(step, does, parts)
        : []
  log.add(step.id, added)
  return { steps: added.map((one: AddedStep) => runnable(log, one.step)), before: beforeOf(step) }
}

const beforeOf = ({ does }: PlanStep) => (does && 'before' in does ? does.before : [])

const partOf = ({ turn, joins, ...part }: PlanStep['parts'][number]) => ({
  ...part,
  ...(turn !== undefined && { turn }),
  ...(joins && { joins }),
})
