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

/** What an ask may be given beside its prompt, but for its shape. A strategy may be a user's, written without types. */
const AskSettings = z.object({
  system: Text.optional(),
  session: Text.optional(),
  context: z
    .record(z.string(), Text.optional(), {
      error: ({ input }) => `is no object of texts by name (${kindOf(input)}).`,
    })
    .optional(),
  timeoutMs: Amount.optional(),
  maxOutput: Amount.optional(),
  limits: z.record(z.string(), Amount.optional()).nullish(),
})

/** What is wrong with the options of an ask; undefined when nothing is. */
export function askProblem(options: unknown): string | undefined {
  const issue = AskSettings.safeParse(options).error?.issues[0]
  return issue && `${issue.path.join('.') || 'the options'} ${issue.message}`
}
