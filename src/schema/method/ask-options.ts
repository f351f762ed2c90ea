import { z } from 'zod'

/** What `ask` gives before it is awaited. */
export const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function'

/** What a value is, in words. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value
}

/** Why a value that should be a text is none. */
export const notText = (value: unknown): string =>
  isPromise(value)
    ? 'is a promise. Await it first: write await before the call that gives it.'
    : `is no text (${kindOf(value)}). Give a string.`

const Text = z.string({ error: ({ input }) => notText(input) })
const Amount = z.custom<number>((value) => typeof value === 'number' && value >= 0, {
  error: ({ input }) => `is no number of at least 0 (${String(input)}).`,
})

/** The limits of one ask. */
const AskLimits = z.strictObject({
  calls: Amount.optional(),
  tokens: Amount.optional(),
  costUsd: Amount.optional(),
  timeMs: Amount.optional(),
})

/** The options of one ask. A strategy may be a user's, written without types. */
const AskSettings = z.strictObject({
  shape: z.unknown().optional(),
  system: Text.optional(),
  show: z
    .record(z.string(), Text.optional(), {
      error: ({ input }) => `is not an object of texts by name (${kindOf(input)}).`,
    })
    .optional(),
  session: Text.optional(),
  purpose: z.literal('vote', "must be 'vote', where it is given.").optional(),
  timeoutMs: Amount.optional(),
  maxOutput: Amount.optional(),
  limits: AskLimits.nullish(),
})

/** Returns what is wrong with the options of an ask; undefined when they are right. */
export function askProblem(options: unknown): string | undefined {
  const issue = AskSettings.safeParse(options).error?.issues[0]
  if (!issue) return undefined
  if (issue.code !== 'unrecognized_keys') return `${issue.path.join('.') || 'the options'} ${issue.message}`
  const known = Object.keys((issue.path[0] === 'limits' ? AskLimits : AskSettings).shape)
  return `there is no option "${[...issue.path, issue.keys[0]].join('.')}"; there are ${known.join(', ')}.`
}
