import { z } from 'zod'

/** What a trial of a workflow came to: `state.collaboration` of its record. Times are on the trial's clock, in ms. */
export const WorkflowRecord = z.object({
  workflow: z.string(),
  /** SHA-256 of its file. */
  digest: z.string(),
  stages: z.array(
    z.object({
      stage: z.string(),
      agent: z.string(),
      /** How often it was asked, and for how long in all. */
      runs: z.int(),
      ms: z.number(),
      /** Its agent gave something at least once. */
      gave: z.boolean(),
      /** Needs that stood in what it was given when it last ran, and those that did not. */
      met: z.array(z.string()),
      unmet: z.array(z.string()),
    }),
  ),
  /** Changes that were asked for and made or tried. */
  iterations: z.int(),
  /** Outputs that were put into another format, and outputs that could not be read. */
  conversions: z.object({ done: z.int(), failed: z.int() }),
  unreadable: z.array(z.object({ stage: z.string(), format: z.string(), problem: z.string() })),
  /** Files that two stages side by side both changed: the later listed one's stand. */
  conflicts: z.array(z.string()),
  /** Share of the needs that were met over all runs of stages; null: there were none. */
  satisfaction: z.number().nullable(),
  /** Stages that gave something, in each run of a stage: 1 when each was asked once and answered. */
  efficiency: z.number(),
})
export type WorkflowRecord = z.infer<typeof WorkflowRecord>
