import { sha256 } from '../text/canonical-json.ts'
import type { AgentRequest, Turn } from './agent.ts'

/** One message to an agent that keeps no session of its own. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** The longest session that is sent along: older turns are left out, the system prompt never. */
const mostMessages = 40

/** The turns of a session that are sent along. */
export const latestTurns = (turns: readonly Turn[]): readonly Turn[] => turns.slice(-mostMessages / 2)

/**
 * All that is sent for a request: its system prompt, the latest turns of its session, its prompt. The first text begins
 * with the trial's mark.
 */
export function conversationOf(request: AgentRequest, run: string): Message[] {
  const { system, turns = [], prompt, trial } = request
  const messages: Message[] = []
  if (system !== undefined) messages.push({ role: 'system', text: system })
  for (const turn of latestTurns(turns))
    messages.push({ role: 'user', text: turn.prompt }, { role: 'assistant', text: turn.reply })
  messages.push({ role: 'user', text: prompt })
  const [first] = messages as [Message]
  first.text = `${trialMark(run, trial.id)}\n${first.text}`
  return messages
}

/**
 * The line with which every prompt of a trial begins. It is the same within a trial and another one in every other, so
 * that no provider's cache carries anything from one trial, or run, into another.
 */
function trialMark(run: string, trial: string): string {
  return `[${sha256(`${run}/${trial}`).slice(0, 24)}]`
}
