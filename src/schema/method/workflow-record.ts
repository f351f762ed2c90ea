import { z } from 'zod'

/** The result of a workflow in a trial: `state.collaboration` of its record. Times are on the trial's clock; ms. */
export const WorkflowRecord = z.object({
  workflow: z.string(),
  /** SHA-256 of the workflow file. */
  digest: z.string(),
  stages: z.array(
    z.object({
      stage: z.string(),
      agent: z.string(),
      /** How often it was asked, and the total time. */
      runs: z.int(),
      ms: z.number(),
      /** Whether its agent provided something at least once. */
      gave: z.boolean(),
      /** Needs that were in its input in its last run, and those that were not. */
      met: z.array(z.string()),
      unmet: z.array(z.string()),
    }),
  ),
  /** Changes that were requested and made or tried. */
  iterations: z.int(),
  /** Outputs that were converted to another format, and outputs that could not be parsed. */
  conversions: z.object({ done: z.int(), failed: z.int() }),
  unreadable: z.array(z.object({ stage: z.string(), format: z.string(), problem: z.string() })),
  /** Files that two parallel stages both changed. The changes of the stage that is listed later win. */
  conflicts: z.array(z.string()),
  /** Share of needs that were met, over all runs of stages; null if there were no needs. */
  satisfaction: z.number().nullable(),
  /** Stages that provided something, divided by runs of stages: 1 if each was asked once and answered. */
  efficiency: z.number(),
})
export type WorkflowRecord = z.infer<typeof WorkflowRecord>
