import { z } from 'zod'

/** Items of a source of tasks that could not be read and were left out. */
export const SkippedItems = z.object({
  /** The selector, with an absolute path. */
  source: z.string(),
  count: z.int().positive(),
})
export type SkippedItems = z.infer<typeof SkippedItems>
