import type { Turn } from '../agents/agent.ts'

/** What was said in sessions so far, by role and name: part of a branch's state, rebuilt from the journal like all of it. */
export type SessionTurns = ReadonlyMap<string, readonly Turn[]>

/** The turns of a role's session. */
export function turnsOf(sessions: SessionTurns | undefined, role: string, session: string): readonly Turn[] {
  return sessions?.get(nameOf(role, session)) ?? []
}

/** SessionTurns with one turn more; those given stay as they are, since other branches share them. */
export function withTurn(
  sessions: SessionTurns | undefined,
  role: string,
  session: string,
  turn: Turn,
): SessionTurns {
  return new Map(sessions).set(nameOf(role, session), [...turnsOf(sessions, role, session), turn])
}

const nameOf = (role: string, session: string) => `${role}/${session}`
