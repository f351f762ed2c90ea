import { z } from 'zod'
import { inWords } from '../../text/issue-text.ts'

/** Whether a value is a promise, such as an ask that is not awaited. */
export const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function'

/** Returns the type of a value in words: `an array`, `a number`. */
export const describeType = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'undefined'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Returns why a value is not a string, as a phrase without a subject. */
export const notTextMessage = (value: unknown): string =>
  isPromise(value) ? 'is a promise; await it first.' : `must be a string, got ${describeType(value)}.`

const Text = z.string({ error: ({ input }) => notTextMessage(input) })
const Amount = z.custom<number>((value) => typeof value === 'number' && value >= 0, {
  error: ({ input }) =>
    `must be a number of at least 0, got ${typeof input === 'number' ? input : describeType(input)}.`,
})

const Messages = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
  error: ({ input }) =>
    `must be a whole number of at least 1, got ${typeof input === 'number' ? input : describeType(input)}.`,
})

const AskLimits = z.strictObject({
  calls: Amount.optional(),
  tokens: Amount.optional(),
  costUsd: Amount.optional(),
  timeMs: Amount.optional(),
})

/** The options of one ask. A strategy may be a user's, written without types. */
const AskSettings = z.strictObject({
  shape: z
    .custom((value) => typeof value === 'object' && value !== null && '_zod' in value, {
      error: ({ input }) =>
        `must be a zod schema: import { z } from 'orchestration-bench', and write z.object({ … }); got ${describeType(input)}.`,
    })
    .optional(),
  system: Text.optional(),
  show: z
    .record(z.string(), Text.optional(), {
      error: ({ input }) => `must be an object of strings by name, got ${describeType(input)}.`,
    })
    .optional(),
  instruction: z.literal('inside', "must be 'inside'.").optional(),
  session: Text.optional(),
  sessionScope: z.enum(['branch', 'trial'], "must be 'branch' or 'trial'.").optional(),
  maxMessages: Messages.optional(),
  work: z
    .enum(['produce', 'judge', 'summarise', 'decide'], "must be 'produce', 'judge', 'summarise' or 'decide'.")
    .optional(),
  tools: z
    .array(Text, {
      error: ({ input }) => `must be a list of tools, such as ['read'], got ${describeType(input)}.`,
    })
    .optional(),
  purpose: z.literal('vote', "must be 'vote'.").optional(),
  timeoutMs: Amount.optional(),
  maxOutput: Amount.optional(),
  limits: AskLimits.nullish(),
})

/** Returns what is wrong with the options of an ask; undefined when they are right. */
export function askProblem(options: unknown): string | undefined {
  const parsed = AskSettings.safeParse(options, inWords)
  if (parsed.success) return sessionProblem(parsed.data)
  const [issue] = parsed.error.issues
  if (!issue) return undefined
  if (issue.code !== 'unrecognized_keys') return `${issue.path.join('.') || 'the options'} ${issue.message}`
  const known = Object.keys((issue.path[0] === 'limits' ? AskLimits : AskSettings).shape)
  return `there is no option "${[...issue.path, issue.keys[0]].join('.')}"; there are ${known.join(', ')}.`
}

/** Returns which option needs a conversation that the options do not name. */
function sessionProblem(options: z.infer<typeof AskSettings>): string | undefined {
  if (options.session !== undefined) return undefined
  const lone = (['sessionScope', 'maxMessages'] as const).find((name) => options[name] !== undefined)
  return lone && `${lone} needs a session: name the conversation with the option session.`
}
