import { setTimeout } from 'node:timers/promises'
import type { ClientContext } from '@agentclientprotocol/sdk'
import type { AgentErrorReason } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { causeOf, oneLine } from '../cli/cause.ts'
import { type Json, listAt, numberAt, objectAt, textAt } from '../wire/json.ts'

/** The version of the protocol that bench speaks. */
const spokenVersion = 1

/** What an agent says of itself before any prompt. */
export interface Opened {
  /** The version of the protocol. */
  protocol: number
  /** Its name and version, as it tells them. */
  name: string
  version: string
}

/** How long the agent may take to answer before it has a prompt, for each request; ms. */
const startMs = 60_000

/** Why a conversation cannot go on. */
export class Broken extends Error {
  readonly reason: AgentErrorReason
  constructor(reason: AgentErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A session of an agent that was opened. */
interface OpenSession {
  id: string
  /** It can be continued in another process of the agent. */
  canContinue: boolean
  isNew: boolean
}

/** Asks an agent who it is. Rejects with `Broken` if it speaks another version of the protocol. */
export async function openAgent(ask: Ask, program: string): Promise<{ told: Json; opened: Opened }> {
  const told = await ask('initialize', {
    protocolVersion: spokenVersion,
    // No terminal: the agent runs its commands itself, where the sandbox holds it.
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
    clientInfo: { name: 'orchestration-bench', version: '1' },
  })
  requireVersion(told, program)
  return { told, opened: nameOf(told) }
}

interface Place {
  program: string
  /** The variable from which it reads its key, if known. */
  keyInside: string | undefined
}

/** Opens a session in the folder, or continues one if the agent can. `told` is the agent's answer to `initialize`. */
export async function openSession(
  ask: Ask,
  told: Json,
  { program, cwd, known, keyInside }: Place & { cwd: string; known: string | undefined },
): Promise<OpenSession> {
  const capabilities = objectAt(told, 'agentCapabilities')
  const canResume = Boolean(objectAt(capabilities, 'sessionCapabilities').resume)
  const canContinue = canResume || capabilities.loadSession === true
  const place = { cwd, mcpServers: [] }
  if (known !== undefined && canContinue) {
    try {
      await ask(canResume ? 'session/resume' : 'session/load', { ...place, sessionId: known })
      return { id: known, canContinue, isNew: false }
    } catch (error) {
      // Some agents offer what they cannot do.
      if (error instanceof Broken) throw error
    }
  }
  const begun = await withKey(() => ask('session/new', place), { ask, told, program, keyInside })
  const id = textAt(begun, 'sessionId')
  if (id === '') throw new Broken('exit', `${program} gave no id of a session`)
  return { id, canContinue, isNew: true }
}

type Ask = (method: string, params: Json) => Promise<Json>

/** Returns a function that asks what comes before a prompt, and waits for it no longer than for a program that starts. */
export function createAsker(agent: ClientContext, program: string, timeoutMs: number): Ask {
  const most = Math.min(startMs, timeoutMs)
  return async (method, params) => {
    const timer = new AbortController()
    const late = setTimeout(most, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Broken('timeout', `${program} did not answer ${method} within ${most} ms`)
    })
    late.catch(() => {})
    try {
      return objectAt(await Promise.race([agent.request<Json, Json>(method, params), late]))
    } finally {
      timer.abort()
    }
  }
}

function requireVersion(opened: Json, program: string): void {
  const { protocolVersion } = opened
  if (protocolVersion === spokenVersion) return
  const told =
    protocolVersion === undefined ? 'no version' : `version ${shorten(JSON.stringify(protocolVersion), 40)}`
  const remedy =
    typeof protocolVersion === 'string'
      ? `which must be the number ${spokenVersion}. Use a release of it that writes a number`
      : `and bench version ${spokenVersion}. Use a release of it that speaks version ${spokenVersion}`
  throw new Broken('request', `${program} speaks ${told} of the Agent Client Protocol, ${remedy}`)
}

function nameOf(opened: Json): Opened {
  const info = objectAt(opened, 'agentInfo')
  const plain = (field: string) => shorten(oneLine(textAt(info, field)), 80) || 'unknown'
  return { protocol: spokenVersion, name: plain('name'), version: plain('version') }
}

/** The code of an agent that wants to be logged in. */
const loginNeeded = -32000

/** Opens a session; where the agent wants a login, with the key of its environment, and never in another way. */
async function withKey(
  open: () => Promise<Json>,
  { ask, told, program, keyInside }: Place & { ask: Ask; told: Json },
): Promise<Json> {
  try {
    return await open()
  } catch (error) {
    if ((error as { code?: unknown }).code !== loginNeeded) throw error
    const ways = listAt(told, 'authMethods').map((way) => textAt(way, 'id'))
    const byKey = ways.filter((id) => /api[-_]?key/i.test(id))
    for (const methodId of byKey) {
      try {
        await ask('authenticate', { methodId })
        return await open()
      } catch (failure) {
        if (failure instanceof Broken) throw failure
      }
    }
    const known = ways.length > 0 ? ` (${shorten(oneLine(ways.join(', ')), 120)})` : ''
    const wants = `${program} wants a login${known}, which bench never makes`
    const fix =
      keyInside === undefined
        ? 'Name the variable from which it reads a key: keyInside of its program'
        : `It takes no key from ${keyInside}, which bench sets: set keyInside of its program to the variable from which it does`
    throw new Broken('key', `${wants}. ${fix}`)
  }
}

/** Returns why a request failed, as the agent tells it. */
export function brokenBy(error: unknown, program: string): Broken {
  if (error instanceof Broken) return error
  const { code, message, data } = error as { code?: number; message: string; data?: unknown }
  const details = objectAt(data)
  const more =
    textAt(details, 'details') || textAt(details, 'message') || (typeof data === 'string' ? data : '')
  const told = more === '' || message.includes(more) ? message : `${message}: ${more}`
  const status = numberAt(details, 'status') ?? numberAt(details, 'code') ?? code ?? null
  return new Broken(causeOf(told, status), `${program}: ${shorten(oneLine(told), 500)}`)
}
