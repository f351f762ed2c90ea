import { z } from 'zod'
import { Finish } from './step.ts'

/** The format of a file of recorded replies, and its version. */
export const repliesFormat = 'bench-replies-1'

const text = z.string().regex(/\S/, 'is empty')

/** Where the replies of one model come from. */
const Origin = {
  /** The model that replied. */
  model: text,
  /** Who recorded the replies, such as a repository with its commit. */
  source: text,
  licence: text,
  /** When they were recorded: a year, a month or a day. */
  date: z.string().regex(/^\d{4}(-\d\d){0,2}$/, 'is not a date such as 2025, 2025-03 or 2025-03-31'),
  /** Who wrote the prompts: the source its own, or bench those of the baseline. */
  prompts: z.enum(['source', 'bench'], 'is neither source nor bench'),
}

/** The first line of a file of recorded replies. */
export const RepliesHeader = z.strictObject({
  format: z.literal(repliesFormat, `is not ${repliesFormat}`),
  ...Origin,
  /** The number of lines that follow, so that a file that was cut is found. */
  replies: z.int().nonnegative(),
  /** What the import found in the source, such as missing or empty replies. */
  notes: z.array(z.string()).optional(),
})
export type RepliesHeader = z.infer<typeof RepliesHeader>

const count = z.int().nonnegative()

/** Every other line: one reply of the model to one task. */
export const RecordedReply = z.strictObject({
  /** The task's name in bench: `gsm8k/test-12`. */
  task: z.string().regex(/^[^/\s]+\/\S+$/, 'is not a task of bench such as gsm8k/test-12'),
  /** From 1; further replies to the same task have further numbers. */
  sample: z.int().positive(),
  /** What the model said. Empty: it said nothing. */
  reply: z.string(),
  /** As the provider counted them; null: not reported. `reasoning` is a part of `output`, all others are of `input`. */
  tokens: z.strictObject({
    input: count.nullable(),
    output: count.nullable(),
    cached: count.optional(),
    cacheWrite: count.optional(),
    cacheWriteHour: count.optional(),
    reasoning: count.optional(),
  }),
  /** Why the reply ended; absent if the source does not tell. */
  finish: Finish.optional(),
})
export type RecordedReply = z.infer<typeof RecordedReply>

/** What reports say of the recorded replies of an agent. */
export const RecordedFacts = z.object({
  ...Origin,
  /** The most replies that a task of the run has. */
  samples: z.int().nonnegative(),
})
export type RecordedFacts = z.infer<typeof RecordedFacts>
