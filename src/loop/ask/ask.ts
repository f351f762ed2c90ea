import type { z } from 'zod'
import type { Agent } from '../../agents/agent.ts'
import { askProblem, notText } from '../../schema/method/ask-options.ts'
import type { AskOptions } from '../../strategy.ts'
import { AgentError } from '../../text/errors.ts'
import { withTurn } from '../files/workspace.ts'
import { type Branch, runEffect } from '../state/branch.ts'
import { usedOf } from '../state/trial-limits.ts'
import type { TrialState } from '../state/trial-state.ts'
import type { Attempt } from './agent-request.ts'
import { askUntilAnswered } from './attempt.ts'
import { composePrompt, formatOf, instructionOf, parseReply, repairPrompt, requestHash } from './prompt.ts'
import { keepCandidate } from './reply-edits.ts'

type Options = AskOptions & { shape?: z.ZodType }

/** What an ask of the strategy is. */
interface Ask {
  role: string
  work: Attempt['work']
  prompt: string
  given: Options | undefined
}

/**
 * The only door to an agent: limits, timing, one ledger line per attempt, edits taken over into the branch's
 * workspace, and data of the wanted shape with one repair turn. Gives the reply's text, or the data.
 */
export async function ask(
  trialState: TrialState,
  branch: Branch,
  role: string,
  prompt: string,
  given?: Options,
): Promise<unknown> {
  const work = Object.hasOwn(trialState.roles, role) ? trialState.roles[role] : undefined
  if (!work)
    throw new Error(
      `[strategy ${trialState.strategy.name}] asks role "${role}", which it does not declare in roles.`,
    )
  const problem = typeof prompt === 'string' ? given && askProblem(given) : `the prompt ${notText(prompt)}`
  if (problem) throw new Error(`[strategy] ask("${role}"): ${problem}`)
  return runEffect(branch, `ask("${role}")`, async (key) => {
    const { call, text } = await askUntilAnswered(
      trialState,
      branch,
      firstAttempt(trialState, branch, key, { role, work, prompt, given }),
    )
    branch.answered = { key, role }
    if (work === 'produce') takeWork(trialState, branch, call, text)
    const { shape } = call.options ?? {}
    return shape ? dataOf(trialState, branch, { call, text, shape }) : remember(branch, call, text)
  })
}

/** What an ask of the strategy is to the agent, before it is sent. */
function firstAttempt(
  trialState: TrialState,
  branch: Branch,
  key: string,
  { role, work, prompt, given }: Ask,
): Attempt {
  const { run, trial, task } = trialState
  const { redact } = run
  const { askLimits } = trial.cell
  const own = askLimits ? { ...given, limits: { ...askLimits, ...given?.limits } } : given
  const options = own && redact ? cleanOptions(own, redact.data) : own
  const format = options?.shape && formatOf(options.shape)
  const instruction = instructionOf(task)
  const composed = composePrompt({ work, instruction, prompt, show: options?.show, format })
  const agent = trialState.agents[role] as Agent
  const whole = redact ? redact.text(composed) : composed
  return {
    agent,
    key,
    attempt: 1,
    hash: requestHash(agent.name, role, whole, options),
    role,
    work,
    prompt: whole,
    repair: false,
    retries: 0,
    waitMs: 0,
    schema: format?.schema,
    options,
    begun: options?.limits && usedOf(branch),
  }
}

/** A shape is code, not text. */
const cleanOptions = ({ shape, ...options }: Options, clean: <Value>(value: Value) => Value): Options => ({
  ...clean(options),
  ...(shape && { shape }),
})

/** A producing role's reply is the branch's answer until another one comes. */
function takeWork(trialState: TrialState, branch: Branch, { role, key }: Attempt, text: string): void {
  trialState.produced++
  branch.state.answer = text
  keepCandidate(trialState, branch, role, key)
}

/** The data of a reply. Asks once more where it holds none. */
async function dataOf(
  trialState: TrialState,
  branch: Branch,
  { call, text, shape }: { call: Attempt; text: string; shape: z.ZodType },
): Promise<unknown> {
  const parsed = parseReply(text, shape)
  if ('data' in parsed) return remember(branch, call, text, parsed.data)
  const { agent, role, options } = call
  const repair = repairPrompt(call.prompt, text, parsed.problem)
  const again = await askUntilAnswered(trialState, branch, {
    ...call,
    attempt: call.attempt + 1,
    hash: requestHash(agent.name, role, repair, options),
    repair: true,
    retries: 0,
    waitMs: 0,
    prompt: repair,
  })
  const repaired = parseReply(again.text, shape)
  // The session goes on as if the reply had been right at once: the next turn needs no memory of the repair.
  if ('data' in repaired) return remember(branch, call, again.text, repaired.data)
  remember(branch, call, again.text)
  throw new AgentError(
    'unparsable',
    `[agent ${call.agent.name}] gave no usable data as "${call.role}", also after one repair: ${repaired.problem}`,
  )
}

/** Keeps what later asks of this branch may know of this one: who was asked, its data, its turn in a session. Gives what it came to. */
function remember(
  { state }: Branch,
  { role, work, prompt, options }: Attempt,
  reply: string,
  data?: unknown,
): unknown {
  state.history = [...state.history, data === undefined ? { role, work } : { role, work, data }]
  if (options?.session !== undefined)
    state.sessions = withTurn(state.sessions, role, options.session, { prompt, reply })
  return data === undefined ? reply : data
}
