import { z } from 'zod'

/** A call that a model asks for, as it wrote it. */
export const ToolCall = z.object({
  /** The model's id of the call, unique in its turn. */
  id: z.string(),
  name: z.string(),
  /** JSON text of the arguments, which may be invalid. */
  arguments: z.string(),
  /** The reply reached its output limit in the middle of this call, so the arguments are not whole. */
  isCut: z.literal(true).optional(),
})
export type ToolCall = z.infer<typeof ToolCall>

/**
 * How a tool call ended. Only `ok` has the tool's result; after every other outcome the model gets an error that says what to do.
 * `failed`: the tool itself reports an error. `invalid`: the arguments do not match the tool's schema. `denied`: the tool is not
 * allowed here, or the call asks for something outside of the workspace. `too-large`: the answer is larger than the tool may give.
 * `broken`: the server died, did not start, or sent something that is no answer. `repeated`: the same call for the third time
 * while nothing changed; it was not made. `too-many`: it came after the most calls that a turn may make; it was not made.
 */
export const ToolOutcome = z.enum([
  'ok',
  'failed',
  'invalid',
  'denied',
  'timeout',
  'too-large',
  'broken',
  'repeated',
  'too-many',
])
export type ToolOutcome = z.infer<typeof ToolOutcome>

const notMade: readonly ToolOutcome[] = ['invalid', 'denied', 'repeated', 'too-many']

/** Whether a call with this outcome was made. */
export const isMade = (outcome: ToolOutcome): boolean => !notMade.includes(outcome)

/** The most calls of one turn. */
export const mostCallsOfTurn = 64

/** A note that a memory tool keeps for the rest of the trial. */
export const MemoryNote = z.object({ title: z.string(), text: z.string() })
export type MemoryNote = z.infer<typeof MemoryNote>

/** Begins each line of what a memory recalls. */
export const quoteMark = '> '

/** Whether the result of a recall quotes something that was found. */
export const quotesContent = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(quoteMark))

/** The first line of the result of a check. */
export const checkCount = ({ passed, total }: { passed: number; total: number }): string =>
  `${passed} of ${total} checks passed.`

/** Whether the result of a check says how many passed: a task may have none. */
export const countsChecks = (text: string): boolean => /^\d+ of \d+ checks passed\./.test(text)
