import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { thrownText, UserError } from '../text/errors.ts'
import { locateError } from '../user-code/error-location.ts'
import { loadUserModule } from '../user-code/load-module.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'

/** What a script gives for one ask; a text stands for a reply with nothing else known. */
type ScriptedReply =
  | string
  | {
      text?: string
      tokens?: Partial<AgentReply['tokens']>
      costUsd?: number | null
      /** Measured if absent. */
      durationMs?: number
      error?: AgentReply['error']
    }

/** How a script reaches the trial's files, and learns that the run was stopped. */
interface ScriptedTools {
  folder: AgentRequest['workspace']['folder']
  files: AgentRequest['workspace']['files']
  peek: AgentRequest['workspace']['peek']
  signal: AbortSignal
}

/** A module's default export: a function of the request, or replies in the order of a branch's asks. */
type Script =
  | ((
      request: Omit<AgentRequest, 'workspace'>,
      tools: ScriptedTools,
    ) => ScriptedReply | Promise<ScriptedReply>)
  | readonly ScriptedReply[]

/**
 * The agent of a user's module. It may export `paid = true` (calls are synced like real ones) and `simulated = false`
 * (its numbers are real). A script that throws gives a reply with the error `exit`.
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
      fix: 'Try it with node alone.',
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

/** The same for a script at hand. */
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
    ownCode: true,
    async ask(request, signal) {
      signal.throwIfAborted()
      const started = performance.now()
      const played = await within(request.timeoutMs, signal, () => play(script, request, signal))
      return finished(played, performance.now() - started)
    },
  }
}

async function play(script: Script, request: AgentRequest, signal: AbortSignal): Promise<ScriptedReply> {
  if (typeof script !== 'function') {
    // By what came before in this branch, not by a count of calls, so that a resumed trial goes on at its place.
    const reply = script[request.history.length]
    if (reply !== undefined) return reply
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

/** Rejects as soon as the run is aborted and ends with a timeout when its time is up, whatever the script does. */
function within(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: () => Promise<ScriptedReply>,
): Promise<ScriptedReply> {
  return new Promise((settle, reject) => {
    const abort = () => end(() => reject(signal.reason))
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const error = { reason: 'timeout' as const, message: `no reply in ${timeoutMs} ms` }
            end(() => settle({ error, durationMs: timeoutMs }))
          }, timeoutMs)
    const end = (then: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      then()
    }
    signal.addEventListener('abort', abort)
    work().then(
      (reply) => end(() => settle(reply)),
      (error) => end(() => reject(error)),
    )
  })
}

function finished(played: ScriptedReply, measuredMs: number): AgentReply {
  const reply = typeof played === 'string' ? { text: played } : (played ?? {})
  const wrong = faultOf(reply)
  const { text = '', tokens, costUsd, durationMs, error = wrong } = wrong ? {} : reply
  return {
    text,
    tokens: { input: null, output: null, cached: null, ...tokens },
    costUsd: costUsd ?? null,
    durationMs: durationMs ?? Math.round(measuredMs),
    ...(error && { error }),
  }
}

/** What is wrong with what a script gave for a reply; one that worked in the folder need not say anything. */
function faultOf(reply: Exclude<ScriptedReply, string>): AgentReply['error'] {
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

const known = new Set(['text', 'tokens', 'costUsd', 'durationMs', 'error'])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
