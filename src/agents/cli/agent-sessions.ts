import { cleanText } from '../../replies/clean-data.ts'
import { withoutThoughts } from '../../replies/thoughts.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { AgentRequest } from '../agent.ts'
import type { CliReading } from './kind.ts'

/** How a call continues its conversation. */
export interface AgentSessionUse {
  /** The program's own id of the session to resume. */
  native?: string
  /** Absent at the beginning of a conversation and without one. */
  continued?: 'resumed' | 'retold'
}

type CallUsage = Pick<CliReading, 'tokens' | 'costUsd'>

interface Known {
  id: string
  /** Number of turns that the program's session holds. */
  turns: number
  /** The last turn's reply, as the conversation keeps it. */
  reply: string
  /** The totals that its last call reported. */
  totals: CallUsage
}

/**
 * Keeps track of the sessions that programs hold. A session is resumed only if it holds exactly the turns of the journal. After
 * a crash, after a failed call or in a branch, all turns are sent again in a new session.
 */
export function createAgentSessions() {
  const known = new Map<string, Known>()
  const nameOf = (home: string, { role, session }: AgentRequest) => `${home}\n${role}/${session}`
  const heldFor = (home: string, request: AgentRequest) => {
    const found = request.session === undefined ? undefined : known.get(nameOf(home, request))
    const turns = request.turns ?? []
    // Two branches may each have added a turn to one conversation, of which the trial kept one.
    return found && found.turns === turns.length && found.reply === turns.at(-1)?.reply ? found : undefined
  }
  return {
    /** Returns how a request continues its conversation. */
    find(home: string, request: AgentRequest): AgentSessionUse {
      const held = heldFor(home, request)
      if (held) return { native: held.id, continued: 'resumed' }
      return request.turns?.length ? { continued: 'retold' } : {}
    },
    /** Records the program's session after a finished call. Returns the call's own usage, without that of earlier calls. */
    record(home: string, request: AgentRequest, reading: CliReading): CallUsage {
      const { text, tokens, costUsd, cumulative, session, error } = reading
      const before = heldFor(home, request)?.totals
      const totals = { tokens, costUsd }
      if (request.session !== undefined) {
        if (session === undefined || error) known.delete(nameOf(home, request))
        else
          known.set(nameOf(home, request), {
            id: session,
            turns: (request.turns?.length ?? 0) + 1,
            reply: withoutThoughts(cleanText(text)),
            totals,
          })
      }
      return {
        tokens: cumulative.tokens && before ? difference(tokens, before.tokens) : tokens,
        costUsd: cumulative.cost && before ? minus(costUsd, before.costUsd) : costUsd,
      }
    },
  }
}

function difference(now: Tokens, before: Tokens): Tokens {
  const parts = ['cacheWrite', 'cacheWriteHour', 'reasoning'] as const
  const reported = parts.flatMap((part) => {
    const own = minus(now[part] ?? null, before[part] ?? null)
    return own === null ? [] : [[part, own] as const]
  })
  return {
    input: minus(now.input, before.input),
    output: minus(now.output, before.output),
    cached: minus(now.cached, before.cached),
    ...Object.fromEntries(reported),
  }
}

function minus(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before
}
