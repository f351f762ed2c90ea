import { z } from 'zod'
import type { AgentReply } from '../../agents/agent.ts'
import { isTooLong, tooLongReply } from '../../agents/reply-size.ts'
import { withoutThoughts } from '../../replies/thoughts.ts'
import { GatewayFields, ProgramUse } from '../../schema/ledger/program-use.ts'
import { type AskStep, Finish } from '../../schema/ledger/step.ts'
import { describeType } from '../../schema/method/ask-options.ts'
import type { ChangeSet } from '../../schema/method/change.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { ToolCall } from '../../schema/tool/tool-call.ts'
import { inWords } from '../../text/issue-text.ts'
import type { Redactor } from '../../text/redact.ts'
import type { Branch } from '../branch/trial-state.ts'
import { stateDigest } from '../branch/workspace.ts'
import { failures } from '../budget/failures.ts'
import type { Attempt } from './agent-request.ts'

/** Of a reply of which nothing is known. */
export const unknownTokens: Tokens = { input: null, output: null, cached: null }

/** Returns what a reply that is too long costs. */
const withoutContent = ({
  tokens,
  costUsd,
  listCostUsd,
  costSource,
  reportedCostUsd,
  durationMs,
}: AgentReply) =>
  ({
    ...{ text: '', tokens, costUsd, durationMs, costSource, error: tooLongReply },
    ...(listCostUsd !== undefined && { listCostUsd }),
    ...(reportedCostUsd !== undefined && { reportedCostUsd }),
  }) satisfies AgentReply

// Sums beyond the safe integers are not exact.
const Amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
/** Dollars of one call; none costs a million. */
const Cost = z.number().min(0).max(1e6)
/** Tokens of one call, or of all requests of a program; none has ten thousand million. */
const Count = z.int().min(0).max(1e10)

const Checked = z.object({
  text: z.string(),
  toolCalls: z.array(ToolCall).optional(),
  message: z.array(z.record(z.string(), z.unknown())).optional(),
  tokens: z.object({
    input: Count.nullable(),
    output: Count.nullable(),
    cached: Count.nullable(),
    cacheWrite: Count.optional(),
    cacheWriteHour: Count.optional(),
    reasoning: Count.optional(),
  }),
  costUsd: Cost.nullable(),
  listCostUsd: Cost.optional(),
  reportedCostUsd: Cost.optional(),
  finish: Finish.optional(),
  ...GatewayFields.shape,
  ...ProgramUse.shape,
  durationMs: Amount,
  error: z
    .object({
      reason: z.enum(Object.keys(failures)),
      message: z.string(),
      retryAfterMs: Amount.optional(),
      stack: z.string().optional(),
    })
    .optional(),
})

/**
 * Validates a reply for the ledger. An adapter may be a user's script or pass on a server's numbers: a negative price would
 * pay for other calls, and a string in place of a number would make the run folder unreadable. An invalid reply becomes an
 * error with reason `exit` and unknown cost; one that is too long is not read, and keeps its cost. A part larger than its whole (`cached` above `input`) counts as not reported.
 */
export function checkReply(given: AgentReply, redact: Redactor | undefined): AgentReply {
  const reply = isTooLong(given) ? withoutContent(given) : given
  const [issue] = Checked.safeParse(reply, inWords).error?.issues ?? []
  if (!issue) return { ...reply, tokens: possibleTokens(reply.tokens) }
  return {
    text: '',
    tokens: unknownTokens,
    costUsd: null,
    durationMs: Amount.safeParse((reply as AgentReply | undefined)?.durationMs).data ?? 0,
    error: {
      reason: 'exit',
      message: `the adapter broke: its reply has ${problemOf(reply, issue.path, redact)}`,
    },
  }
}

function problemOf(reply: AgentReply, path: readonly PropertyKey[], redact: Redactor | undefined): string {
  const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)[key], reply)
  const shown = show(value, redact)
  const field = path.join('.')
  if (field === '') return `nothing in it (${shown})`
  if (field === 'text') return `a text that is ${shown}`
  const isText = typeof value === 'string'
  if (field === 'error' || field === 'error.message' || (field === 'error.reason' && !isText))
    return 'an error without a reason or a message'
  if (field === 'error.reason')
    return `the unknown error reason ${shown} (known: ${Object.keys(failures).join(', ')}): ${show(reply.error?.message, redact)}`
  return field === 'error.stack' ? `an error's stack ${shown}` : `${field.replace('error.', '')} ${shown}`
}

/** Drops token counts that contradict each other: a server or script may count by its own rules. */
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
  const whole = typeof value === 'string' ? JSON.stringify(value) : textOf(value)
  const clean = redact ? redact.text(whole) : whole
  return clean.length <= 50 ? clean : `${clean.slice(0, 50)}…`
}

/** Converts a value to a string; some objects throw on conversion, and get the name of their type. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return describeType(value)
  }
}

/** Returns the error of a reply that says and does nothing. */
export function emptyReply(
  { text, finish }: AgentReply,
  isOfferedTools: boolean,
): NonNullable<AskStep['error']> {
  if (finish === 'refusal') return { reason: 'refusal', message: 'the model, or a filter around it, refused' }
  const message =
    finish === 'length'
      ? 'the output limit was used up, and no text came'
      : finish === 'tool-call' && !isOfferedTools
        ? 'it called a tool, but was offered none'
        : finish === 'thoughts' && text.trim() === ''
          ? 'it gave thoughts alone'
          : text.trim() === ''
            ? 'gave an empty reply'
            : 'gave only thoughts, and no answer after them'
  return { reason: 'empty', message }
}

/** Whether a reply, without thoughts, says and does nothing: neither itself nor by the calls of its ask. */
export function isEmpty(
  { state }: Branch,
  { turn, isRequest }: Attempt,
  { text, toolCalls }: AgentReply,
  changeSet: ChangeSet | undefined,
): boolean {
  if (isRequest || withoutThoughts(text).trim() !== '' || changeSet?.changes.length || toolCalls) return false
  return !turn || stateDigest(turn.draft) === stateDigest(state)
}
