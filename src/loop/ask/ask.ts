import type { z } from 'zod'
import type { Agent } from '../../agents/agent.ts'
import { isRecorded } from '../../agents/paid-or-simulated.ts'
import type { AskOptions } from '../../ask.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { turnKey } from '../../schema/ledger/turn-key.ts'
import { askProblem, notTextMessage } from '../../schema/method/ask-options.ts'
import { AgentError } from '../../text/errors.ts'
import { nextKey, runEffect } from '../branch/branch.ts'
import { usedOf } from '../branch/trial-limits.ts'
import type { Branch } from '../branch/trial-state.ts'
import { addAsk, isSameWork } from '../branch/workspace.ts'
import { type Attempt, addTurn, judgedTexts } from './agent-request.ts'
import { askWithRetries, takeDraft } from './attempt.ts'
import type { Hands } from './hands.ts'
import {
  composePrompt,
  type Format,
  formatOfAsk,
  instructionOf,
  readAskedData,
  repairPrompt,
  requestHash,
} from './prompt.ts'
import { keepCandidate } from './reply-edits.ts'
import { sampleOfAsk } from './task-alone.ts'
import { askInTurns } from './tool-turns.ts'
import { toolsOfAsk } from './tools.ts'

/** The options of a strategy's ask; with a shape it is for data. */
export type StrategyAsk = AskOptions & { shape?: z.ZodType }

interface Ask {
  role: string
  work: Attempt['work']
  prompt: string
  given: StrategyAsk | undefined
}

/**
 * Asks a role's agent. It applies limits, keeps time, writes one ledger line per attempt, and applies the reply's edits to the
 * branch's files. Returns the reply's text, or with a `shape` its data, after at most one repair.
 */
export async function ask(
  branch: Branch,
  role: string,
  prompt: string,
  given?: StrategyAsk,
): Promise<unknown> {
  const asked = checkAsk(branch, role, prompt, given)
  return runEffect(branch, `ask("${role}")`, (key) => answerOf(branch, firstAttempt(branch, key, asked)))
}

/** Asks a program that directs others. It is no effect that keeps its branch busy: what it asks for is done there while it works. */
export async function askDirector(
  branch: Branch,
  role: string,
  { prompt, ...given }: StrategyAsk & { prompt: string },
  handsOf: (key: string) => Hands,
): Promise<string> {
  const asked = checkAsk(branch, role, prompt, given)
  const key = nextKey(branch, `ask("${role}")`)
  return (await answerOf(branch, { ...firstAttempt(branch, key, asked), hands: handsOf(key) })) as string
}

/** Returns an ask with its kind of work. Throws unless the strategy may ask it. */
function checkAsk(branch: Branch, role: string, prompt: string, given: StrategyAsk | undefined): Ask {
  const { trialState } = branch
  const ownWork = Object.hasOwn(trialState.plan.roles, role) ? trialState.plan.roles[role] : undefined
  if (!ownWork)
    throw new Error(
      typeof role === 'string'
        ? `[strategy ${trialState.plan.strategy.name}] asks role "${role}", which it does not declare in roles; there are ${Object.keys(trialState.plan.roles).join(', ')}.`
        : `[strategy ${trialState.plan.strategy.name}] ask(): the role ${notTextMessage(role)}`,
    )
  const problem =
    typeof prompt === 'string' ? given && askProblem(given) : `the prompt ${notTextMessage(prompt)}`
  if (problem) throw new Error(`[strategy] ask("${role}"): ${problem}`)
  return { role, work: given?.work ?? ownWork, prompt, given }
}

/** Makes the attempts of an ask. Returns its text, or its data. */
async function answerOf(branch: Branch, first: Attempt): Promise<unknown> {
  const { trialState } = branch
  const { key, role, work } = first
  const { changed, answer } = branch.state
  const hasTools = trialState.plan.trial.cell.method.tools !== undefined || first.options?.tools !== undefined
  const tools = hasTools && !first.hands ? toolsOfAsk(trialState, first) : undefined
  const { call, text, isEmpty } = await (tools
    ? askInTurns(branch, first, tools)
    : askWithRetries(branch, first))
  branch.lastAsk = { key, role }
  if (work === 'produce') {
    branch.state.answer = text
    if (answer !== undefined) countRevision(branch, { changed, answer })
    keepCandidate(branch, role, key)
  }
  const { shape } = call.options ?? {}
  if (shape) return dataOf(branch, { call, text, shape })
  return remember(branch, call, isEmpty ? await askAgain(branch, call, '', 'it is empty.') : text)
}

/** Returns the first attempt of an ask: prompt, options and hash, without secrets. */
function firstAttempt(branch: Branch, key: string, { role, work, prompt, given }: Ask): Attempt {
  const { trialState } = branch
  const { run } = trialState
  const { trial, task } = trialState.plan
  const { askLimits } = trial.cell
  const whole = withoutOwnWork(given, trialState.plan.roles[role])
  const own = askLimits ? { ...whole, limits: { ...askLimits, ...whole?.limits } } : whole
  const clean = dataCleaner(run.redact)
  const options = own && cleanOptions(own, clean)
  const instruction = instructionOf(task, trial.cell.instructions)
  const texts = [prompt, ...Object.values(options?.show ?? {}).map((text) => text ?? '')]
  const label = `${trial.id}/${branch.path}/mark of ${key}`
  const format = formatOfAsk({ work, shape: options?.shape, texts }, label)
  const composed = composePrompt({ work, instruction, prompt, options, format })
  const agent = trialState.plan.agents[role] as Agent
  const text = clean(composed)
  return {
    agent,
    key,
    attempt: 1,
    hash: requestHash(agent.name, role, text, options),
    sample: isRecorded(agent) ? sampleOfAsk(branch, key, { role, work, prompt: text, options }) : undefined,
    role,
    work,
    prompt: text,
    repair: false,
    retries: 0,
    waitMs: 0,
    format,
    options,
    usedBefore: options?.limits && usedOf(branch),
  }
}

/** Returns the options without a kind of work that is the role's own: naming it asks nothing else. */
function withoutOwnWork(
  given: StrategyAsk | undefined,
  ownWork: Attempt['work'] | undefined,
): StrategyAsk | undefined {
  if (given?.work === undefined || given.work !== ownWork) return given
  const { work: _, ...others } = given
  return others
}

/** Cleans all options but the shape, which is code. */
const cleanOptions = (
  { shape, ...options }: StrategyAsk,
  clean: <Value>(value: Value) => Value,
): StrategyAsk => ({
  ...clean(options),
  ...(shape && { shape }),
})

/** Counts a reply that had earlier work before it, and whether it changed that. */
function countRevision({ trialState, state }: Branch, before: Parameters<typeof isSameWork>[1]): void {
  trialState.revisions.asks++
  if (!isSameWork(trialState.plan.task, before, state)) trialState.revisions.changed++
}

/** Returns the data of a reply. Asks once more when it does not parse, or is empty. */
async function dataOf(
  branch: Branch,
  { call, text, shape }: { call: Attempt; text: string; shape: z.ZodType },
): Promise<unknown> {
  const read = (reply: string) => {
    const read = readAskedData(reply, shape, call.format as Format, judgedTexts(branch, call))
    const counts = branch.trialState.repairedData
    if ('data' in read) for (const one of read.repairs ?? []) counts.set(one, (counts.get(one) ?? 0) + 1)
    return read
  }
  const parsed = read(text)
  if ('data' in parsed) return remember(branch, call, text, parsed.data)
  const again = await askAgain(branch, call, text, parsed.problem)
  const repaired = read(again)
  // The conversation continues as if the first reply had parsed: later turns do not see the repair.
  if ('data' in repaired) return remember(branch, call, again, repaired.data)
  remember(branch, call, again)
  throw new AgentError(
    'unparsable',
    `[agent ${call.agent.name}] gave no usable data as "${call.role}", also after one repair: ${repaired.problem}`,
  )
}

/** Makes the one repair of an ask. Returns the reply's text. */
async function askAgain(branch: Branch, call: Attempt, reply: string, problem: string): Promise<string> {
  const { agent, role, options, format } = call
  const prompt = repairPrompt(call.prompt, reply, problem, format !== undefined)
  const { turn, ...others } = call
  const { text } = await askWithRetries(branch, {
    ...others,
    // Of an ask with tools it is the next turn, without tools.
    ...(turn ? { key: turnKey(turn.ask, turn.number + 1), attempt: 1 } : { attempt: call.attempt + 1 }),
    hash: requestHash(agent.name, role, prompt, options),
    repair: true,
    retries: 0,
    waitMs: 0,
    prompt,
  })
  // A turn that gave no reply has not handed over what its calls changed.
  if (turn && reply.trim() === '') takeDraft(branch, turn.draft)
  return text
}

/** Keeps the ask among the branch's asks and in its conversation for later asks. Returns its data, or its text. */
function remember(
  { state, path }: Branch,
  { role, work, prompt, options = {} }: Attempt,
  reply: string,
  data?: unknown,
): unknown {
  state.asks = addAsk(state.asks, data === undefined ? { role, work } : { role, work, data })
  if (options.session !== undefined) addTurn(state, role, options, { prompt, reply }, path)
  return data === undefined ? reply : data
}
