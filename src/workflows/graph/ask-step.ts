import type { z } from 'zod'
import type { AskOptions } from '../../ask.ts'
import type { PlanWork } from '../../schema/graph/plan.ts'
import { AgentError } from '../../text/errors.ts'
import type { Context } from './step-prompt.ts'

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
