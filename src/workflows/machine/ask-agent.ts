import { z } from 'zod'
import type { AskOptions, KindOfWork } from '../../ask.ts'
import { GateVerdict } from '../../schema/machine/decision.ts'
import { AgentError } from '../../text/errors.ts'
import { type Score, scoresShape, scoresWords } from './machine-outputs.ts'
import { type Context, elapsedOf, type MachineRun } from './machine-run.ts'
import { isGate, orchestratorRole, workOfState } from './state-facts.ts'
import { statePrompt, type Visiting } from './state-prompt.ts'

/** What an agent said in a state. */
export interface Said {
  text: string
  verdict?: GateVerdict
  scores?: readonly Score[]
}

/** Asks an agent in a visit, in the form that the state wants. Throws `AgentError` when no attempt gave a usable reply. */
export async function askInState(
  run: MachineRun,
  visiting: Visiting,
  agent: string,
  context: Context,
): Promise<Said> {
  const { state, inputs } = visiting
  const { prompt, system, show } = statePrompt(run, visiting, agent, context)
  const ask = <Reply>(words: string, shape: z.ZodType<Reply>) =>
    askAgent(run, agent, context, { prompt: joined(prompt, words), system, show, work, shape })
  const work = workOfState(state)
  const targets = [...new Set(inputs.map(({ path }) => path))]
  const scored = state.scores && {
    shape: scoresShape(targets, state.scores),
    words: scoresWords(targets, state.scores),
  }
  if (isGate(state)) {
    if (!scored) return saidBy(await ask('', GateVerdict))
    const { scores, ...verdict } = await ask(scored.words, GateVerdict.extend({ scores: scored.shape }))
    return { ...saidBy(verdict), scores }
  }
  if (!scored) return { text: await askAgent(run, agent, context, { prompt, system, show, work }) }
  const { text, scores } = await ask(scored.words, z.object({ text: z.string(), scores: scored.shape }))
  return { text, scores }
}

const joined = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n')

const saidBy = (verdict: GateVerdict): Said => ({ text: JSON.stringify(verdict, null, 2), verdict })

interface Request {
  prompt: string
  system?: string | undefined
  show?: AskOptions['show']
  work: KindOfWork
}

/** Asks an agent, again after a failure as often as the settings allow, never beyond the hard limit of time. */
export async function askAgent(
  run: MachineRun,
  role: string,
  context: Context,
  request: Request,
): Promise<string>
export async function askAgent<Reply>(
  run: MachineRun,
  role: string,
  context: Context,
  request: Request & { shape: z.ZodType<Reply> },
): Promise<Reply>
export async function askAgent<Reply>(
  run: MachineRun,
  role: string,
  context: Context,
  { shape, prompt, ...request }: Request & { shape?: z.ZodType<Reply> },
): Promise<string | Reply> {
  for (let left = run.machine.settings.retry_count; ; left--)
    try {
      const options = optionsOf(run, role, context, request)
      return shape
        ? await context.ask(role, prompt, { ...options, shape })
        : await context.ask(role, prompt, options)
    } catch (failure) {
      if (!(failure instanceof AgentError)) throw failure
      if (left === 0 || msLeft(run, context) === 0) throw failure
    }
}

const msLeft = (run: MachineRun, context: Context) =>
  Math.max(0, run.machine.circuit_breaker.hard.time_s * 1000 - elapsedOf(run, context))

function optionsOf(
  run: MachineRun,
  role: string,
  context: Context,
  { system, show, work }: Omit<Request, 'prompt'>,
): AskOptions {
  const { orchestrator, agents, settings } = run.machine
  const own = role === orchestratorRole ? orchestrator : agents[role]
  const maxMessages = own?.max_messages ?? settings.max_messages
  return {
    ...{ work, timeoutMs: Math.max(1, Math.min(settings.timeout_per_agent * 1000, msLeft(run, context))) },
    ...(system !== undefined && { system }),
    ...(show && { show }),
    ...(own?.session && { session: 'workflow', sessionScope: 'trial' as const }),
    ...(own?.session && maxMessages !== undefined && { maxMessages }),
    ...(own?.max_output !== undefined && { maxOutput: own.max_output }),
  }
}
