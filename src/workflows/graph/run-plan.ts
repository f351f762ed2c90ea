import { z } from 'zod'
import type { GraphStep } from '../../graph.ts'
import type { GraphPlan, PlanRole, PlanStep } from '../../schema/graph/plan.ts'
import type { StrategyResult } from '../../strategy.ts'
import { AgentError, asError, ConflictError, LimitError } from '../../text/errors.ts'
import { askStep, type Context, type Inputs, stepName, stepPrompt } from './ask-step.ts'
import { chooseCandidate } from './choose-candidate.ts'
import { type AddedStep, createGraphLog, type GraphLog, type Part, type StepDone } from './graph-log.ts'

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

type Step = GraphStep<Context, StepDone>

/** Returns the steps of a plan for `context.graph`. The log keeps what comes of them. */
const planSteps = (log: GraphLog): Step[] => log.plan.steps.map((step) => runnable(log, step))

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

type Assigning = Extract<PlanRole, { kind: 'assign' }>
type Request = Parameters<typeof askStep>[2]

/** Asks a boss who is to do what in this round. Tasks beyond the maximum are left out, and an event says so. */
async function assignTasks(
  context: Context,
  step: PlanStep,
  { round, rounds, max, workers }: Assigning,
  { prompt, show }: Request,
): Promise<StepDone> {
  const names = Object.keys(workers)
  const shape = z.object({
    tasks: z.array(z.object({ worker: z.enum(names), do: z.string().trim().min(1) })),
  })
  const words =
    `Give tasks to the workers below, at most ${max}; the same worker may get several. The tasks are done side by side. ` +
    `This is round ${round} of at most ${rounds}. Give no task when nothing is left to be done.`
  const known = names.map((name) => `${name}: ${workers[name]?.prompt}`).join('\n')
  const request = { prompt: `${prompt}\n\n${words}`, show: { ...show, workers: known } }
  const { tasks } = await askStep(context, step, request, shape)
  const parts = cut(context, step.id, tasks, max).map((task) => ({ worker: task.worker, text: task.do }))
  return { text: listOf(parts) || 'Nothing is left to be done.', workspace: context.workspace, parts }
}

/** Returns the steps of the workers, and the boss's next round, which reads them. Without tasks there is no further round. */
function stepsOfTasks(boss: PlanStep, assigning: Assigning, parts: readonly Part[]): AddedStep[] {
  const { prefix, round, rounds, workers } = assigning
  const turn = (of: number) => placedIn(boss, of)
  const added = parts.flatMap(({ worker = '', text }, place): AddedStep[] => {
    const work = workers[worker]
    if (!work) throw new Error(`the plan has no worker ${worker}`)
    const id = `${prefix}${worker}::r${round}_${place + 1}`
    const prompt = `${work.prompt}\n\nYour task:\n${text}`
    return [{ part: text, step: { ...work, id, needs: [boss.id], prompt, parts: turn(round) } }]
  })
  if (added.length === 0 || round === rounds) return added
  const next: PlanStep = {
    ...assigning.boss,
    id: `${prefix}boss::r${round + 1}`,
    needs: [boss.id, ...added.map(({ step }) => step.id)],
    parts: turn(round + 1),
    does: { ...assigning, round: round + 1 },
  }
  return [...added, { step: next }]
}

function placedIn({ parts }: PlanStep, turn: number): PlanStep['parts'] {
  return parts.map(({ pattern, kind }, depth) => ({
    ...{ pattern, kind },
    ...(depth === parts.length - 1 && { turn }),
  }))
}

type Planning = Extract<PlanRole, { kind: 'plan' }>

const Parts = z.object({ steps: z.array(z.string().trim().min(1)).min(1) })

/** Asks a planner for the parts of the work. Parts beyond the maximum are left out, and an event says so. */
async function planParts(
  context: Context,
  step: PlanStep,
  { max }: Planning,
  { prompt, show }: Request,
): Promise<StepDone> {
  const words = `List the steps of the work, at least one and at most ${max}, each as a whole instruction for the agent that does it.`
  const { steps } = await askStep(context, step, { prompt: `${prompt}\n\n${words}`, show }, Parts)
  const parts = cut(context, step.id, steps, max).map((text) => ({ text }))
  return { text: listOf(parts), workspace: context.workspace, parts }
}

/** Returns the steps that do the parts of a plan, each with its text. In sequence each reads all before it. */
function stepsOfParts(
  planner: PlanStep,
  { prefix, order, executor }: Planning,
  parts: readonly Part[],
): AddedStep[] {
  const idOf = (place: number) => `${prefix}${String(place + 1).padStart(2, '0')}`
  return parts.map(({ text }, place) => {
    const before = order === 'sequential' ? parts.slice(0, place).map((_, i) => idOf(i)) : []
    return {
      part: text,
      step: {
        ...executor,
        id: idOf(place),
        needs: [planner.id, ...before],
        prompt: `${executor.prompt}\n\nYour part of the work, step ${place + 1} of ${parts.length}:\n${text}`,
        parts: planner.parts.map(({ pattern, kind }) => ({ pattern, kind })),
      },
    }
  })
}

/** Returns the first of the parts that an agent named, and notes it where there are more. */
function cut<Item>(
  { note }: Pick<Context, 'note'>,
  step: string,
  items: readonly Item[],
  max: number,
): Item[] {
  if (items.length > max) note({ type: 'plan-cut', step, given: items.length, kept: max })
  return items.slice(0, max)
}

const listOf = (parts: readonly Part[]): string =>
  parts
    .map(({ worker, text }, place) => `${place + 1}. ${worker === undefined ? '' : `${worker}: `}${text}`)
    .join('\n')
