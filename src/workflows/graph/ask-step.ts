import type { z } from 'zod'
import type { AskOptions } from '../../ask.ts'
import type { StepResult } from '../../graph.ts'
import type { PlanStep, PlanWork } from '../../schema/graph/plan.ts'
import type { StrategyContext } from '../../strategy.ts'
import { AgentError } from '../../text/errors.ts'
import { filesContext, replyContext } from '../work-context.ts'
import type { GraphLog, StepDone } from './graph-log.ts'

type Request = { prompt: string; show: AskOptions['show'] }

/** Asks the role of a step, and asks again after a failure, at most as often as the step allows. */
export async function askStep(context: Context, work: PlanWork, request: Request): Promise<string>
export async function askStep<Reply>(
  context: Context,
  work: PlanWork,
  request: Request,
  shape: z.ZodType<Reply>,
): Promise<Reply>
export async function askStep<Reply>(
  { ask }: Context,
  { role, instructions, timeout_ms, max_output, retries, tools }: PlanWork,
  { prompt, show }: Request,
  shape?: z.ZodType<Reply>,
): Promise<string | Reply> {
  const options: AskOptions = {
    ...(instructions !== undefined && { system: instructions }),
    ...(show !== undefined && { show }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(max_output !== undefined && { maxOutput: max_output }),
    ...(tools.length > 0 && { tools }),
  }
  for (let left = retries; ; left--)
    try {
      return shape ? await ask(role, prompt, { ...options, shape }) : await ask(role, prompt, options)
    } catch (failure) {
      // A limit of the trial refuses every further ask, too.
      if (!(failure instanceof AgentError) || left === 0) throw failure
    }
}

/** The context of a strategy that runs a graph, or of one of its steps. */
export type Context = StrategyContext<string, unknown>

/** The results of the steps that a step waited for. */
export type Inputs = ReadonlyMap<string, StepResult<StepDone>>

type Show = NonNullable<AskOptions['show']>

/** Returns the prompt of a step and the texts to show. Neither mentions a step that failed or was skipped. */
export function stepPrompt(
  step: PlanStep,
  { log, inputs, context }: { log: GraphLog; inputs: Inputs; context: Context },
): { prompt: string; show: Show } {
  const { instruction, workspace } = context
  const show: Record<string, string> = {}
  // The prompt of a `produce` role begins with the task anyway.
  if (log.plan.input !== null) show.input = log.plan.input
  else if (step.work !== 'produce') show.task = instruction
  const chooses = step.does?.kind === 'choose' ? new Set(Object.values(step.does.candidates)) : undefined
  for (const { id, agent, work } of log.steps) {
    const input = inputs.get(id)
    // A referee reads its candidates without their names.
    if (input?.status !== 'done' || chooses?.has(log.rootOf(id))) continue
    const { text } = input.value
    show[`reply of ${stepName(id)}, by ${agent}`] = work === 'produce' ? replyContext(text, workspace) : text
  }
  // The files of several candidates at once are nobody's work.
  if (!chooses) show.files = filesContext(workspace)
  return { prompt: [step.prompt, ...roundWords(step)].join('\n\n'), show }
}

/** Says what a later round of a debate is for. */
function roundWords({ parts }: PlanStep): string[] {
  const { kind, turn = 1 } = parts.at(-1) ?? {}
  if (kind !== 'debate' || turn === 1) return []
  return [
    `This is round ${turn} of a debate. Below is what each side said in the round before. Answer the others, and say what you hold now.`,
  ]
}

/**
 * Returns the id of a step in words, as prompts name it: `p::debate::anna::r2` is "anna round 2 of debate". Two ids never get
 * the same name.
 */
export function stepName(id: string): string {
  const [mark, pattern, ...parts] = id.split('::')
  if (mark !== 'p' || pattern === undefined || parts.length === 0) return id
  return `${parts.map(partName).join(' ')} of ${pattern}`
}

function partName(part: string, place: number): string {
  const [, round, task] = (place > 0 && /^r(\d+)(?:_(\d+))?$/.exec(part)) || []
  if (round === undefined) return part
  return task === undefined ? `round ${round}` : `round ${round} task ${task}`
}
