import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ToolCall } from '../schema/tool/tool-call.ts'
import { thrownText, UserError } from '../text/errors.ts'
import { locateError } from '../user-code/error-location.ts'
import { loadUserModule } from '../user-code/load-module.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'
import { isTooLong, tooLongReply } from './reply-size.ts'

/** A script's reply to one ask. A plain text is a reply of which nothing else is known. */
export type ScriptedReply =
  | string
  | {
      text?: string
      /** Tools to call before the answer; the script is asked again, with their results in `tools.turns` of the request. */
      toolCalls?: readonly ScriptedToolCall[]
      tokens?: Partial<AgentReply['tokens']>
      costUsd?: number | null
      /** In ms; measured if absent. */
      durationMs?: number
      error?: AgentReply['error']
    }

/** A call of a tool. Arguments that are a text are passed on as they are. */
export interface ScriptedToolCall {
  name: string
  arguments?: Readonly<Record<string, unknown>> | string
}

/** A script's access to the trial's files, and the signal that stops the run. */
export interface ScriptedTools {
  folder: AgentRequest['workspace']['folder']
  files: AgentRequest['workspace']['files']
  peek: AgentRequest['workspace']['peek']
  signal: AbortSignal
}

/**
 * A module's default export: a function of the request, or the replies to a branch's asks in order. A reply that is a list holds
 * the turns of one ask with tools: replies that call tools, and then the answer.
 */
type Script =
  | ((
      request: Omit<AgentRequest, 'workspace'>,
      tools: ScriptedTools,
    ) => ScriptedReply | Promise<ScriptedReply>)
  | readonly (ScriptedReply | readonly ScriptedReply[])[]

/**
 * Loads the agent of a user's module. The module may export `paid = true` (calls are synced like real ones) and
 * `simulated = false` (its numbers are real). A script that throws gives a reply with the error `exit`.
 */
export async function loadScripted(path: string, cwd = process.cwd()): Promise<Agent> {
  const where = `agent scripted:${path}`
  const file = resolve(cwd, path)
  if (!existsSync(file))
    throw new UserError({ where, what: `there is no file ${path}`, fix: 'Give the path of an .mjs module.' })
  let module: Record<string, unknown>
  try {
    module = await loadUserModule(`the agent's file ${path}`, () => import(pathToFileURL(file).href))
  } catch (error) {
    throw new UserError({
      where,
      what: `does not load: ${thrownText(error)}`,
      fix: `Run \`node ${path}\` to see the error.`,
    })
  }
  const script = module.default
  if (typeof script !== 'function' && !Array.isArray(script)) {
    const fix = 'Write `export default (request, { folder }) => "reply"`, or an array of replies.'
    throw new UserError({ where, what: 'has no default export that is a function or an array', fix })
  }
  return createScripted(script as Script, {
    name: `scripted:${path}`,
    paid: module.paid === true,
    simulated: module.simulated !== false,
  })
}

/** Creates the agent of a script that is already loaded. */
export function createScripted(
  script: Script,
  {
    name = 'scripted',
    paid = false,
    simulated = true,
  }: Partial<Pick<Agent, 'name' | 'paid' | 'simulated'>> = {},
): Agent {
  return {
    name,
    paid,
    simulated,
    userCode: true,
    tools: 'called',
    async ask(request, signal) {
      signal.throwIfAborted()
      const started = performance.now()
      const played = await playInTime(request.timeoutMs, signal, () => play(script, request, signal))
      return toReply(played, performance.now() - started, request)
    },
  }
}

async function play(script: Script, request: AgentRequest, signal: AbortSignal): Promise<ScriptedReply> {
  if (typeof script !== 'function') {
    // The branch's history is the index, not a count of calls, so that a resumed trial continues at the right reply.
    const reply = script[request.history.length]
    if (Array.isArray(reply)) return turnOf(reply as readonly ScriptedReply[], request)
    if (reply !== undefined) return reply as ScriptedReply
    const message = `the script has ${script.length} replies, this is ask ${request.history.length + 1} of its branch`
    return { error: { reason: 'exit', message } }
  }
  const { workspace, ...plain } = request
  try {
    return await script(plain, {
      folder: () => workspace.folder(),
      files: () => workspace.files(),
      peek: () => workspace.peek(),
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    const at = locateError(error)
    const place = at?.place === undefined ? '' : ` (${at.place})`
    return {
      error: {
        reason: 'exit',
        message: `the script threw: ${thrownText(error)}${place}`,
        ...(at && { stack: at.stack }),
      },
    }
  }
}

function turnOf(turns: readonly ScriptedReply[], { tools }: AgentRequest): ScriptedReply {
  const last = turns.length - 1
  const at = tools && !tools.mustAnswer ? Math.min(tools.turns.length, last) : last
  return turns[at] ?? { error: { reason: 'exit', message: 'the script has an empty list of turns' } }
}

/** Runs the script. Rejects when the run is aborted and returns a timeout after its time, whatever the script does. */
function playInTime(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: () => Promise<ScriptedReply>,
): Promise<ScriptedReply> {
  return new Promise((resolve, reject) => {
    const abort = () => end(() => reject(signal.reason))
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const error = { reason: 'timeout' as const, message: `no reply in ${timeoutMs} ms` }
            end(() => resolve({ error, durationMs: timeoutMs }))
          }, timeoutMs)
    const end = (then: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      then()
    }
    signal.addEventListener('abort', abort)
    work().then(
      (reply) => end(() => resolve(reply)),
      (error) => end(() => reject(error)),
    )
  })
}

function toReply(played: ScriptedReply, measuredMs: number, request: AgentRequest): AgentReply {
  const reply = typeof played === 'string' ? { text: played } : (played ?? {})
  const wrong = replyProblem(reply) ?? callsProblem(reply, request)
  const read = wrong
    ? {}
    : isTooLong(reply)
      ? { ...reply, text: '', toolCalls: [], error: tooLongReply }
      : reply
  const { text = '', toolCalls = [], tokens, costUsd, durationMs, error = wrong } = read
  return {
    text,
    tokens: { input: null, output: null, cached: null, ...tokens },
    costUsd: costUsd ?? null,
    durationMs: durationMs ?? Math.round(measuredMs),
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map(toCall) }),
    ...(error && { error }),
  }
}

const toCall = ({ name, arguments: given = {} }: ScriptedToolCall, i: number): ToolCall => ({
  ...{ id: `call-${i + 1}`, name },
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
})

/** Returns an error for calls of tools that are malformed, or that the ask does not have. */
function callsProblem(
  { toolCalls }: Exclude<ScriptedReply, string>,
  { tools }: AgentRequest,
): AgentReply['error'] {
  if (toolCalls === undefined) return undefined
  const isCall = (call: unknown) =>
    typeof call === 'object' && call !== null && typeof (call as { name?: unknown }).name === 'string'
  const isList = Array.isArray(toolCalls) && toolCalls.every(isCall)
  if (!isList)
    return {
      reason: 'exit',
      message: 'the script gave toolCalls that are no list of { name, arguments }: give such a list',
    }
  if (tools || toolCalls.length === 0) return undefined
  return {
    reason: 'exit',
    message: `the script called ${toolCalls[0]?.name}, but this ask has no tools: look at request.tools, or give the method tools with --tools`,
  }
}

/** Returns an error for a malformed reply. An empty one is allowed: the script may have worked in the folder. */
function replyProblem(reply: Exclude<ScriptedReply, string>): AgentReply['error'] {
  const fields = Object.keys(reply)
  const what =
    typeof reply !== 'object' || Array.isArray(reply)
      ? `a reply that is ${kindOf(reply)}`
      : reply.text !== undefined && typeof reply.text !== 'string'
        ? `a reply whose text is ${kindOf(reply.text)}`
        : fields.length > 0 && !fields.some((field) => known.has(field))
          ? `a reply without a text, of the fields ${fields.slice(0, 9).join(', ')}`
          : undefined
  return what === undefined
    ? undefined
    : { reason: 'exit', message: `the script gave ${what}: give a text, or an object with a text` }
}

const known = new Set(['text', 'toolCalls', 'tokens', 'costUsd', 'durationMs', 'error'])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
