import { z } from 'zod'

/** What came of a graph in a trial: `state.graph` of its record. */
export const GraphRecord = z.object({
  name: z.string(),
  workflow: z.string(),
  /** The digest of the plan. */
  digest: z.string(),
  /** The plan with all steps that were added at run time, in plan order. */
  steps: z.array(
    z.object({
      id: z.string(),
      needs: z.array(z.string()),
      agent: z.string(),
      /** `skipped`: it never began. */
      status: z.enum(['done', 'failed', 'skipped']),
      /** Why it failed. */
      reason: z.string().optional(),
      /** The step that added it. */
      addedBy: z.string().optional(),
      /** What the step that added it wants done. */
      part: z.string().optional(),
    }),
  ),
  /** What referees chose, by the id of their step. */
  choices: z.record(
    z.string(),
    z.object({
      winner: z.string(),
      reason: z.string(),
      /** The candidates in the order in which the referee read them. */
      order: z.array(z.string()),
    }),
  ),
})
export type GraphRecord = z.infer<typeof GraphRecord>
