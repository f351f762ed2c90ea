import type { LanguageModelV3CallOptions, LanguageModelV3Message } from '@ai-sdk/provider'
import type { AgentRequest } from '../agent.ts'
import { conversationOf, type Message } from '../conversation.ts'
import type { Family } from './family.ts'

/**
 * A request as the model objects take it. Every family gets the same: texts, and the most output where the ask names
 * it. No temperature, seed, tools or structured output are set: what a shape must look like stands in the prompt, so that
 * vendors differ by their models alone.
 */
export function callOptions(
  { options, cacheMark }: Pick<Family, 'options' | 'cacheMark'>,
  request: AgentRequest,
  run: string,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const prompt = conversationOf(request, run).map(messageOf)
  const last = prompt.at(-1)
  if (request.session !== undefined && cacheMark && last) last.providerOptions = cacheMark
  return {
    prompt,
    ...(request.maxOutput !== undefined && { maxOutputTokens: request.maxOutput }),
    ...(options && { providerOptions: options }),
    abortSignal,
  }
}

function messageOf({ role, text }: Message): LanguageModelV3Message {
  return role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] }
}
