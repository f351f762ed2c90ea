import type { AgentReply } from '../../agents/agent.ts'
import { cleanJson, cleanText } from '../../replies/clean-text.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import type { Redactor } from '../../text/redact.ts'
import { wellFormed } from '../../text/well-formed.ts'

/**
 * Cleans the texts of a reply. What a provider wants back as it came, such as signed reasoning, keeps its line ends: only halves of
 * surrogate pairs are replaced, without which no server takes it back.
 */
export function cleanReply(reply: AgentReply): AgentReply {
  const { text, toolCalls, error, ...others } = reply
  return {
    ...wellFormed(others),
    text: cleanText(text),
    ...(toolCalls && { toolCalls: toolCalls.map(cleanCall) }),
    ...(error && { error: { ...wellFormed(error), message: cleanText(error.message) } }),
  }
}

const cleanCall = ({ name, arguments: json, ...others }: ToolCall): ToolCall => ({
  ...wellFormed(others),
  name: cleanText(name),
  arguments: cleanJson(json),
})

/** Removes secrets from the texts of a reply. */
export function withoutSecrets(reply: AgentReply, redact: Redactor): AgentReply {
  const { error, ...rest } = reply
  const clean = redact.data(rest)
  if (!error) return clean
  // The adapter may have cut a long message, and a secret in it.
  const known = redact.data(error)
  const { message, stack } = known
  return {
    ...clean,
    error: {
      ...known,
      message: redact.cut(message),
      ...(stack !== undefined && { stack: redact.cut(stack) }),
    },
  }
}
