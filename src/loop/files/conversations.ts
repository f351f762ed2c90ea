import type { Turn } from '../../agents/agent.ts'
import type { AskOptions } from '../../ask.ts'
import { conversationKey } from './shared.ts'
import type { State } from './workspace.ts'

/** The options of an ask that name its conversation. */
type Named = Pick<AskOptions, 'session' | 'sessionScope'>

/** Returns the turns of a role's conversation. */
export function turnsOf(state: State, role: string, { session = '', sessionScope }: Named): readonly Turn[] {
  if (sessionScope !== 'trial') return state.conversations?.get(`${role}/${session}`) ?? []
  const part = state.shared.get(conversationKey(role, session))
  return part && 'turns' in part ? part.turns : []
}

/** Adds a turn to the ask's conversation; other branches share the maps. `by` is the path of the branch. */
export function addTurn(state: State, role: string, named: Named, turn: Turn, by: string): void {
  const { session = '', sessionScope } = named
  const turns = [...turnsOf(state, role, named), turn]
  if (sessionScope === 'trial')
    state.shared = new Map(state.shared).set(conversationKey(role, session), { turns, by })
  else state.conversations = new Map(state.conversations).set(`${role}/${session}`, turns)
}

/** Returns the last turns that fit in so many messages, with the system prompt, if there is one, and the new prompt. */
export function trimTurns(
  turns: readonly Turn[],
  { system, maxMessages }: Pick<AskOptions, 'system' | 'maxMessages'>,
): readonly Turn[] {
  if (maxMessages === undefined) return turns
  const others = system === undefined ? 1 : 2
  const kept = Math.max(0, Math.floor((maxMessages - others) / 2))
  return turns.slice(Math.max(0, turns.length - kept))
}
