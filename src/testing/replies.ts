import { z } from 'zod'
import { Tokens } from '../schema/tokens.ts'
import { type AgentErrorReason, agentErrorReasons, UserError } from '../text/errors.ts'
import { inputProblems } from './input-problems.ts'

/** A double's reply to one call. A string is its text. */
export type DoubleReply = string | ReplyParts

interface ReplyParts {
  text?: string
  /** For an ask with a shape: sent as JSON, in place of `text`; with the mark that a judge's value must carry. */
  data?: unknown
  /** The files that the agent changes, by path; null deletes a file. */
  files?: Readonly<Record<string, string | null>>
  /** Default: estimates of the prompt and the text. */
  tokens?: Partial<Tokens>
  /** In US dollars; 0 by default. */
  costUsd?: number | null
  /** How far the call moves the trial's clock, in ms; 1000 by default. Nobody waits for it. */
  durationMs?: number
  /** The call fails. */
  error?: { reason: AgentErrorReason; message: string }
}

/** The replies of every role that a double answers for, or of each role by its name; `*` is any other role. */
export type Replies = readonly DoubleReply[] | Readonly<Record<string, readonly DoubleReply[]>>

/** Why a double fails. */
export const Reason = z.enum(agentErrorReasons)

const amount = z.number().nonnegative()

/** `DoubleReply` is written by hand, because a type inferred from a schema has no doc comments. */
const Parts = z
  .strictObject({
    text: z.string(),
    data: z.unknown(),
    files: z.record(z.string(), z.string().nullable()),
    tokens: z.strictObject(Tokens.shape).partial(),
    costUsd: amount.nullable(),
    durationMs: amount,
    error: z.strictObject({ reason: Reason, message: z.string() }),
  } satisfies { [Part in keyof ReplyParts]-?: z.ZodType })
  .partial()
  .refine(({ text, data }) => text === undefined || data === undefined, 'has text and data. Use one of them.')

const List = z.array(z.union([z.string(), Parts]))

/** Throws `UserError` unless a double can give these replies; `name` is the function that makes it. */
export function checkReplies(name: string, replies: Replies): void {
  const given: unknown = replies
  const lists = Array.isArray(given)
    ? [given]
    : typeof given === 'object' && given !== null
      ? Object.values(given)
      : []
  if (lists.length === 0 || lists.some((list) => !Array.isArray(list) || list.length === 0))
    throw new UserError({
      where: `${name}() replies`,
      what: `${name}() needs an array with at least one reply, or such an array for each role`,
      fix: `Write ['reply'] or { ROLE: ['reply'] }.`,
    })
  const schema = Array.isArray(given) ? List : z.record(z.string(), List)
  const problems = inputProblems(`${name}() replies`, schema, given)
  if (problems.length > 0) throw new UserError(problems)
}
