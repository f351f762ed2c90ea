import { z } from 'zod'

const score = z.number().min(1).max(10)
const reasoning = z.string()

/** What a quality gate says about what it read. */
export const GateVerdict = z.object({
  decision: z.enum(['proceed', 'retry', 'halt']),
  quality_score: score,
  issues: z
    .array(
      z.object({
        severity: z.enum(['critical', 'major', 'minor']),
        issue: z.string(),
        fix: z.string().optional(),
      }),
    )
    .default([]),
  retry_guidance: z.string().default('').describe('What the next attempt should do differently.'),
})
export type GateVerdict = z.infer<typeof GateVerdict>

/** What the orchestrator decides when a rule breaks, or at a checkpoint. */
export const OrchestratorDecision = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('force_complete'),
    reasoning,
    use_output: z.string().describe('The output that counts.'),
    proceed_from: z.string().optional().describe('The state from which to go on; default: the end.'),
  }),
  z.object({
    decision: z.literal('retry_different'),
    reasoning,
    retry_from: z.string().describe('The state to run again.'),
    guidance: z.string(),
  }),
  z.object({ decision: z.literal('halt'), reasoning, error: z.string().optional() }),
  z.object({ decision: z.literal('dump_context'), reasoning }),
  z.object({ decision: z.literal('proceed'), reasoning, guidance: z.string().optional() }),
])
export type OrchestratorDecision = z.infer<typeof OrchestratorDecision>
