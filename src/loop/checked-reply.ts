import type { AgentReply } from '../agents/agent.ts'
import type { Redactor } from '../redact.ts'
import type { Tokens } from '../schema/tokens.ts'
import { failures } from './failures.ts'

/**
 * A reply as the ledger can hold it. An adapter may be a user's script or hand on what a server made up: a negative price
 * would pay for other calls, and a text in the place of a number makes the run folder unreadable. Such an attempt is
 * a failure of its adapter, `exit`; what it cost is then not known. A part that is larger than its whole (`cached` above `input`) is
 * taken for not reported. What it shows of a value is redacted before it is cut.
 */
export function checkedReply(reply: AgentReply, redact: Redactor | undefined): AgentReply {
  const what = problemOf(reply, redact)
  if (what === undefined) return { ...reply, tokens: possibleTokens(reply.tokens) }
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

function problemOf(reply: AgentReply, redact: Redactor | undefined): string | undefined {
  const { text, tokens, costUsd, durationMs, error } = reply
  if (typeof text !== 'string') return `a text that is ${show(text, redact)}`
  for (const field of ['input', 'output', 'cached'] as const)
    if (tokens[field] !== null && !isCount(tokens[field]))
      return `tokens.${field} ${show(tokens[field], redact)}`
  for (const field of optionalTokens)
    if (tokens[field] !== undefined && !isCount(tokens[field]))
      return `tokens.${field} ${show(tokens[field], redact)}`
  if (!isAmountOrNull(costUsd)) return `costUsd ${show(costUsd, redact)}`
  if (reply.listCostUsd !== undefined || reply.reportedCostUsd !== undefined)
    for (const field of optional)
      if (reply[field] !== undefined && !isAmount(reply[field]))
        return `${field} ${show(reply[field], redact)}`
  if (!isAmount(durationMs)) return `durationMs ${show(durationMs, redact)}`
  if (error === undefined) return undefined
  const { reason, message, retryAfterMs, stack } = error
  if (typeof reason !== 'string' || typeof message !== 'string')
    return 'an error without a reason or a message'
  if (!Object.hasOwn(failures, reason))
    return `the unknown error reason ${show(reason, redact)} (known: ${Object.keys(failures).join(', ')}): ${show(message, redact)}`
  if (stack !== undefined && typeof stack !== 'string') return `an error's stack ${show(stack, redact)}`
  return retryAfterMs === undefined || isAmount(retryAfterMs)
    ? undefined
    : `retryAfterMs ${show(retryAfterMs, redact)}`
}

// Beyond it no sum is exact, and no call ever was.
const most = Number.MAX_SAFE_INTEGER

const isCount = (value: unknown) => Number.isInteger(value) && isAmount(value)
const isAmount = (value: unknown) => typeof value === 'number' && value >= 0 && value <= most
const isAmountOrNull = (value: unknown) => value === null || isAmount(value)

/** The tokens without what cannot be: a server or a script may count by other rules than it says. */
function possibleTokens(tokens: Tokens): Tokens {
  const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = tokens
  const possible: Tokens = { input, output, cached, cacheWrite, cacheWriteHour, reasoning }
  const fits = (part = 0, whole: number | null = 0) => whole === null || part <= whole
  if (!fits((cached ?? 0) + (cacheWrite ?? 0), input)) {
    possible.cached = null
    delete possible.cacheWrite
    delete possible.cacheWriteHour
  } else if (!fits(cacheWriteHour, cacheWrite)) delete possible.cacheWriteHour
  if (!fits(reasoning, output)) delete possible.reasoning
  return possible
}

function show(value: unknown, redact: Redactor | undefined): string {
  const whole = typeof value === 'string' ? JSON.stringify(value) : String(value)
  const clean = redact ? redact.text(whole) : whole
  return clean.length <= 50 ? clean : `${clean.slice(0, 50)}…`
}
