import type { AgentRequest } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import type { SessionUse } from './agent-sessions.ts'

/**
 * Returns a program's standard input. A resumed session gets only the new prompt; any other call gets the system prompt, the
 * earlier turns and the prompt. Characters that programs cannot read are replaced.
 */
export function promptOf(request: AgentRequest, run: string, { continued }: SessionUse): string {
  if (continued === 'resumed') return replaceUnreadable(request.prompt)
  const messages = conversationOf(request, run)
  const titled = messages.map(({ role, text }, i) => {
    if (role === 'system' || i === messages.length - 1) return text
    return role === 'user' ? `You were asked before:\n${text}` : `You answered:\n${text}`
  })
  return replaceUnreadable(titled.join('\n\n'))
}

/** Replaces NUL, which ends a text for some programs, and lone surrogates by visible characters. */
function replaceUnreadable(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd')
}
