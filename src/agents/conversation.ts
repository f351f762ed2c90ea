import { sha256 } from '../text/canonical-json.ts'
import type { AgentRequest, Turn } from './agent.ts'

/** One message to an agent that keeps no sessions of its own. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** Maximum number of messages that are sent for a conversation. Older turns are left out; the system prompt never is. */
const mostMessages = 40

/** Returns the turns of a conversation that are sent with a request. */
export const latestTurns = (turns: readonly Turn[]): readonly Turn[] => turns.slice(-mostMessages / 2)

/**
 * Returns the messages of a request: its system prompt, the latest turns of its conversation, its prompt. The first message
 * begins with the trial's mark.
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
 * Returns the first line of every prompt of a trial. It is equal within a trial and differs between trials and runs, so
 * a provider's cache carries nothing from one trial into another.
 */
function trialMark(run: string, trial: string): string {
  return `[${sha256(`${run}/${trial}`).slice(0, 24)}]`
}
