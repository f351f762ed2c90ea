import { z } from 'zod'

/** What a router chose in one trial. */
export const RouterState = z.object({
  /** Who chose: a table of conditions on tasks, or a role. */
  by: z.enum(['table', 'decider']),
  /** The role that answered. */
  route: z.string(),
  why: z.string(),
  /** Neither a line of the table nor a usable reply of the decider chose it. */
  fallback: z.boolean(),
  /** US dollars of the decider, as billed; null if unknown, absent with a table. */
  costUsd: z.number().nullable().optional(),
})
export type RouterState = z.infer<typeof RouterState>
