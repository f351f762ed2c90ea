import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { AgentRequest, RequestTools } from '../agents/agent.ts'
import type { ScriptedReply, ScriptedToolCall, ScriptedTools } from '../agents/scripted.ts'
import { addMark } from '../replies/data/judge-mark.ts'
import { describeType } from '../schema/method/ask-options.ts'
import type { Tokens } from '../schema/tokens.ts'
import type { AgentErrorReason } from '../text/errors.ts'
import { estimateTokens } from '../text/token-estimate.ts'
import { checkInput } from './input-problems.ts'
import { checkReplies, type DoubleReply, Reason, type Replies } from './replies.ts'

const countRule = 'must be a whole number of at least 0'
const timeRule = 'must be a number of at least 0'
const Count = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0, {
  error: ({ input }) => `${countRule}, got ${shown(input)}.`,
})
const Time = z.custom<number>((value) => Number.isFinite(value) && (value as number) >= 0, {
  error: ({ input }) => `${timeRule}, got ${shown(input)}.`,
})
const Turns = z.array(
  z
    .array(
      z.strictObject({
        name: z.string().min(1),
        arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
      }),
    )
    .min(1),
)
const shown = (value: unknown) => (typeof value === 'number' ? value : describeType(value))

const ScriptedOptions = z.strictObject({ atEnd: z.enum(['cycle', 'fail']).optional() })

/** An ask as a double received it. */
export type ReceivedAsk = Omit<AgentRequest, 'workspace'>

/** What a double gives for a call, complete. */
export interface DoubleAnswer {
  text: string
  files: Readonly<Record<string, string | null>>
  tokens: Tokens
  costUsd: number | null
  durationMs: number
  /** Tools that it calls before it answers; then this is no answer yet. */
  toolCalls?: readonly ScriptedToolCall[]
  error?: { reason: AgentErrorReason; message: string }
}

/**
 * An agent for tests. `play` takes it in place of a script; as the default export of a module it is the agent
 * `scripted:MODULE`. Each call of a role takes the next reply; each trial begins with the first.
 */
export interface AgentDouble {
  (request: ReceivedAsk, tools: Pick<ScriptedTools, 'folder'>): Promise<ScriptedReply>
  /** Answers a call without touching files. */
  answer(request: ReceivedAsk): DoubleAnswer
  /** The calls that it received in this process, in order; a repair and a retry are calls. */
  readonly asks: readonly ReceivedAsk[]
  /** Their prompts. */
  readonly prompts: readonly string[]
  /** Forgets all calls. */
  reset(): void
}

/**
 * An agent that gives these replies in turn. After the last one it begins again (`cycle`, the default), or each further call
 * fails with reason `exit` (`fail`).
 */
export function scriptedAgent(replies: Replies, options: { atEnd?: 'cycle' | 'fail' } = {}): AgentDouble {
  checkReplies('scriptedAgent', replies)
  checkInput('scriptedAgent() options', ScriptedOptions, options)
  const { atEnd = 'cycle' } = options
  return createDouble((request, call) => replyAt(replies, request, call, atEnd))
}

/** An agent that gives these replies in turn, and fails at every call of a role after the first `count` ones. */
export function failingAfter(
  count: number,
  replies: Replies,
  reason: AgentErrorReason = 'exit',
): AgentDouble {
  checkInput('failingAfter() count', Count, count)
  checkInput('failingAfter() reason', Reason, reason)
  // A double that fails at once needs no reply.
  if (count > 0 || !Array.isArray(replies) || replies.length > 0) checkReplies('failingAfter', replies)
  const message = `the test double fails after ${count} call${count === 1 ? '' : 's'}`
  return createDouble((request, call) =>
    call < count ? replyAt(replies, request, call, 'cycle') : { error: { reason, message } },
  )
}

/**
 * An agent that never answers. Each call ends as a timeout after `ms` on the trial's clock, or earlier where the ask has a
 * shorter time limit. Nobody waits for it.
 */
export function timingOut(ms: number): AgentDouble {
  checkInput('timingOut() ms', Time, ms)
  return createDouble(({ timeoutMs = ms }) => {
    const durationMs = Math.min(ms, timeoutMs)
    return { durationMs, error: { reason: 'timeout', message: `no reply in ${durationMs} ms` } }
  })
}

/**
 * An agent that calls tools before it answers: in the first turn of each ask the first calls, and so on, and then the next of the
 * replies. With more turns than an ask may have it fails with reason `tools`, as an agent that never stops calling does. An ask
 * without tools is answered at once.
 */
export function callingTools(turns: readonly (readonly ScriptedToolCall[])[], replies: Replies): AgentDouble {
  checkInput('callingTools() turns', Turns, turns)
  checkReplies('callingTools', replies)
  return createDouble(
    (request, call) => replyAt(replies, request, call, 'cycle'),
    ({ tools }) => (mayCall(tools) ? turns[tools.turns.length] : undefined),
  )
}

/** Whether an ask has a turn for calls. Its last turn is one, too, for an agent that does not stop. */
const mayCall = (tools: ReceivedAsk['tools']): tools is RequestTools =>
  tools !== undefined && (!tools.mustAnswer || tools.turns.length > 0)

/** Creates a double. `respond` gets the number of calls of the role in its trial before this one. */
function createDouble(
  respond: (request: ReceivedAsk, call: number) => DoubleReply,
  /** Returns the tools that it calls in this turn; undefined if it answers. */
  callsOf: (request: ReceivedAsk) => readonly ScriptedToolCall[] | undefined = () => undefined,
): AgentDouble {
  const asks: ReceivedAsk[] = []
  const prompts: string[] = []
  const calls = new Map<string, number>()
  const answer = (request: ReceivedAsk): DoubleAnswer => {
    asks.push(request)
    prompts.push(request.prompt)
    const toolCalls = callsOf(request)
    if (toolCalls) return { ...completeReply(request, ''), toolCalls }
    const { role, trial, history } = request
    const key = JSON.stringify([trial.id, trial.rerun, role])
    // A resumed trial takes its first asks from the journal, and the double never sees them.
    const before = history.filter((past) => past.role === role).length
    const call = Math.max(calls.get(key) ?? 0, before)
    calls.set(key, call + 1)
    return completeReply(request, respond(request, call))
  }
  const script = async (request: ReceivedAsk, { folder }: Pick<ScriptedTools, 'folder'>) => {
    const { files, ...reply } = answer(request)
    if (Object.keys(files).length > 0) writeFiles(await folder(), files)
    return reply
  }
  const reset = () => {
    asks.length = 0
    prompts.length = 0
    calls.clear()
  }
  return Object.assign(script, { answer, asks, prompts, reset })
}

function replyAt(
  replies: Replies,
  { role }: ReceivedAsk,
  call: number,
  atEnd: 'cycle' | 'fail',
): DoubleReply {
  const own = listFor(replies, role)
  const reply = own?.[atEnd === 'cycle' ? call % own.length : call]
  if (reply !== undefined) return reply
  const has = own === undefined ? 'no replies' : `${own.length} repl${own.length === 1 ? 'y' : 'ies'}`
  const others = own === undefined ? `, only for ${Object.keys(replies).join(', ')}` : ''
  return {
    error: {
      reason: 'exit',
      message: `the test double has ${has} for role "${role}"${others}; this is call ${call + 1}`,
    },
  }
}

function listFor(replies: Replies, role: string): readonly DoubleReply[] | undefined {
  if (Array.isArray(replies)) return replies as readonly DoubleReply[]
  const byRole = replies as Readonly<Record<string, readonly DoubleReply[]>>
  return Object.hasOwn(byRole, role) ? byRole[role] : byRole['*']
}

function completeReply({ prompt, system = '', schema }: ReceivedAsk, reply: DoubleReply): DoubleAnswer {
  const given = typeof reply === 'string' ? { text: reply } : reply
  const { data, files = {}, costUsd = 0, durationMs = 1000, error } = given
  const text = given.text ?? (data === undefined ? '' : JSON.stringify(addMark(schema, data)))
  const used = error
    ? { input: 0, output: 0, cached: 0 }
    : { input: estimateTokens(system) + estimateTokens(prompt), output: estimateTokens(text), cached: 0 }
  const tokens = { ...used, ...given.tokens }
  return { text, files, tokens, costUsd, durationMs, ...(error && { error }) }
}

function writeFiles(folder: string, files: DoubleAnswer['files']): void {
  for (const [path, content] of Object.entries(files)) {
    const target = resolve(folder, path)
    if (!target.startsWith(`${resolve(folder)}${sep}`))
      throw new Error(`a reply changes ${path}, which is outside of the workspace`)
    if (content === null) rmSync(target, { force: true })
    else {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
    }
  }
}
