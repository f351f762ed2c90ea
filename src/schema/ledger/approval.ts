import { z } from 'zod'

/** An answer to `approve()`. */
export const ApprovalAnswer = z.object({
  decision: z.enum(['approved', 'feedback', 'abort']),
  /** What should change; empty unless the decision is `feedback`. */
  feedback: z.string(),
})
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>

/**
 * Who answers `approve()`, as after `--approve`. `ask`: a person at the terminal; `park`: a person, later, while the trial waits;
 * `file`: the nth approval of a trial gets the nth answer.
 */
export const ApprovalPolicy = z.discriminatedUnion('policy', [
  z.object({ policy: z.enum(['ask', 'yes', 'abort', 'park']) }),
  z.object({ policy: z.literal('file'), file: z.string(), answers: z.array(ApprovalAnswer) }),
])
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>
