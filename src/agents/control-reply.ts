import { estimateTokens } from '../tokens.ts'
import type { AgentReply, AgentRequest } from './agent.ts'
import { isRouting, nextRole } from './routing.ts'
import { fillShape, slot } from './shape-fill.ts'

/** A reply of a control: its tokens are estimated, it costs nothing and takes no time. */
export function controlReply({ prompt, system }: AgentRequest, text: string, secret = false): AgentReply {
  return {
    text,
    tokens: {
      input: estimateTokens(prompt) + (system === undefined ? 0 : estimateTokens(system)),
      output: estimateTokens(text),
      cached: 0,
    },
    costUsd: 0,
    durationMs: 0,
    ...(secret && { secret }),
  }
}

/** A control's text in the wanted shape: everything approved or nothing, the usual next role where one is to be chosen. */
export function controlData(request: AgentRequest, approved: boolean, text: string): string {
  if (!request.schema) return text
  const value = fillShape(request.schema, {
    signal: approved ? 1 : 0,
    approved,
    items: request.work === 'judge' && approved ? 0 : 1,
    text: () => text,
    choose: (values) => (isRouting(values, request.roles) ? nextRole(values, request) : undefined),
  })
  return JSON.stringify(value).replace(slot, '')
}
