import type { AgentReply } from '../agents/agent.ts'

/**
 * A reply as the ledger can hold it. An adapter may be a user's script or hand on what a server made up: a negative price
 * would pay for other calls, and a text in the place of a number makes the run folder unreadable. Such an attempt is
 * a failure of its adapter, `exit`; what it cost is then not known.
 */
export function checkedReply(reply: AgentReply): AgentReply {
  const what = problemOf(reply)
  if (what === undefined) return reply
  return {
    text: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    durationMs: isAmount(reply.durationMs) ? reply.durationMs : 0,
    error: { reason: 'exit', message: `the adapter broke: its reply has ${what}` },
  }
}

const optional = ['listCostUsd', 'reportedCostUsd'] as const
const optionalTokens = ['cacheWrite', 'cacheWriteHour', 'reasoning'] as const

function problemOf(reply: AgentReply): string | undefined {
  const { text, tokens, costUsd, durationMs, error } = reply
  if (typeof text !== 'string') return `a text that is ${shown(text)}`
  if (!isAmountOrNull(tokens.input)) return `tokens.input ${shown(tokens.input)}`
  if (!isAmountOrNull(tokens.output)) return `tokens.output ${shown(tokens.output)}`
  if (!isAmountOrNull(tokens.cached)) return `tokens.cached ${shown(tokens.cached)}`
  for (const field of optionalTokens)
    if (tokens[field] !== undefined && !isAmount(tokens[field]))
      return `tokens.${field} ${shown(tokens[field])}`
  if (!isAmountOrNull(costUsd)) return `costUsd ${shown(costUsd)}`
  for (const field of optional)
    if (reply[field] !== undefined && !isAmount(reply[field])) return `${field} ${shown(reply[field])}`
  if (!isAmount(durationMs)) return `durationMs ${shown(durationMs)}`
  if (error === undefined) return undefined
  const { reason, message, retryAfterMs } = error
  if (typeof reason !== 'string' || typeof message !== 'string')
    return 'an error without a reason or a message'
  return retryAfterMs === undefined || isAmount(retryAfterMs)
    ? undefined
    : `retryAfterMs ${shown(retryAfterMs)}`
}

// Beyond it no sum is exact, and no call ever was.
const most = Number.MAX_SAFE_INTEGER

const isAmount = (value: unknown) => typeof value === 'number' && value >= 0 && value <= most
const isAmountOrNull = (value: unknown) => value === null || isAmount(value)

const shown = (value: unknown) =>
  (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 50)
