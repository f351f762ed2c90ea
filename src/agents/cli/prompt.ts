import type { AgentRequest } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import type { SessionUse } from './agent-sessions.ts'

/**
 * What a program is given on its standard input. A session that it holds itself gets the new prompt alone; any other
 * is told from the start: system prompt, earlier turns, prompt. Ends characters that no program can be given.
 */
export function promptOf(request: AgentRequest, run: string, { continued }: SessionUse): string {
  if (continued === 'resumed') return givable(request.prompt)
  const messages = conversationOf(request, run)
  const titled = messages.map(({ role, text }, i) => {
    if (role === 'system' || i === messages.length - 1) return text
    return role === 'user' ? `You were asked before:\n${text}` : `You answered:\n${text}`
  })
  return givable(titled.join('\n\n'))
}

/** NUL ends a text for some programs, and half of a surrogate pair is no character: both are shown as what they are. */
function givable(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd')
}
