import { z } from 'zod'

/** Whether the value is a promise, as `ask` returns. */
export const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function'

/** Returns what a value is, for an error: `an array`, `a number`. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'undefined'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Returns what is wrong with a value that must be a string. */
export const notText = (value: unknown): string =>
  isPromise(value) ? 'is a promise; await it first.' : `must be a string, got ${kindOf(value)}.`

const Text = z.string({ error: ({ input }) => notText(input) })
const Amount = z.custom<number>((value) => typeof value === 'number' && value >= 0, {
  error: ({ input }) => `must be a number of at least 0, got ${String(input)}.`,
})

/** The options of an ask, except its shape. A strategy may be a user's, written without types. */
const AskSettings = z.object({
  system: Text.optional(),
  session: Text.optional(),
  context: z
    .record(z.string(), Text.optional(), {
      error: ({ input }) => `must be an object of strings by name, got ${kindOf(input)}.`,
    })
    .optional(),
  timeoutMs: Amount.optional(),
  maxOutput: Amount.optional(),
  limits: z.record(z.string(), Amount.optional()).nullish(),
})

/** Returns what is wrong with the options of an ask; undefined when nothing is. */
export function askProblem(options: unknown): string | undefined {
  const issue = AskSettings.safeParse(options).error?.issues[0]
  return issue && `${issue.path.join('.') || 'the options'} ${issue.message}`
}
