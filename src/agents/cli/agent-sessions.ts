import type { Tokens } from '../../schema/tokens.ts'
import type { AgentRequest } from '../agent.ts'
import type { CliReading } from './reading.ts'

/** How a call takes up its session. */
export interface SessionUse {
  /** The program's own id of the session that it goes on with. */
  native?: string
  /** Absent at the beginning of a session, and without one. */
  continued?: 'resumed' | 'retold'
}

/** What a call spent by itself. */
type OwnPart = Pick<CliReading, 'tokens' | 'costUsd'>

/** Sessions of one program, by HOME, role and name. */
interface Sessions {
  of(home: string, request: AgentRequest): SessionUse
  /** Takes what a call told: remembers its session, and takes off what was told of earlier calls. */
  take(home: string, request: AgentRequest, reading: CliReading): OwnPart
}

interface Known {
  id: string
  /** Turns that the program holds. */
  turns: number
  /** What it had told by its last call. */
  told: OwnPart
}

/**
 * Keeps which sessions the programs hold. One is resumed only if it holds exactly the turns that the journal has: after a
 * crash, in a forked branch or after a failed call it is told again from the transcript, in a session of its own.
 */
export function createAgentSessions(): Sessions {
  const known = new Map<string, Known>()
  const nameOf = (home: string, { role, session }: AgentRequest) => `${home}\n${role}/${session}`
  const heldFor = (home: string, request: AgentRequest) => {
    const found = request.session === undefined ? undefined : known.get(nameOf(home, request))
    return found && found.turns === (request.turns?.length ?? 0) ? found : undefined
  }
  return {
    of(home, request) {
      const held = heldFor(home, request)
      if (held) return { native: held.id, continued: 'resumed' }
      return request.turns?.length ? { continued: 'retold' } : {}
    },
    take(home, request, reading) {
      const { tokens, costUsd, cumulative, session, error } = reading
      const before = heldFor(home, request)?.told
      const told = { tokens, costUsd }
      if (request.session !== undefined) {
        if (session === undefined || error) known.delete(nameOf(home, request))
        else known.set(nameOf(home, request), { id: session, turns: (request.turns?.length ?? 0) + 1, told })
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
  const told = parts.flatMap((part) => {
    const own = minus(now[part] ?? null, before[part] ?? null)
    return own === null ? [] : [[part, own] as const]
  })
  return {
    input: minus(now.input, before.input),
    output: minus(now.output, before.output),
    cached: minus(now.cached, before.cached),
    ...Object.fromEntries(told),
  }
}

/** Null where one of the totals was not told: the difference is then not known. */
function minus(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before
}
