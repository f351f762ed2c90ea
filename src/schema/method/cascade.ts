import { z } from 'zod'

/** The rules by which a cascade goes on to its next step. */
export const cascadeRules = ['agreement', 'checks', 'judge'] as const

const usd = z.number().nonnegative().nullable()

/** What a cascade did: the field `cascade` of a record's state. Its steps are roles, from cheap to dear. */
export const CascadeState = z.object({
  until: z.enum(cascadeRules),
  /** All its steps, whether asked or not. */
  planned: z.array(z.string()).min(1),
  /** The steps that were asked; US dollars as billed, null if unknown. `failed` is why its agent gave nothing. */
  steps: z.array(z.object({ role: z.string(), costUsd: usd, failed: z.string().optional() })),
  /** Each time that it could go on: the last step asked by then, whether it ended there, and why. `costUsd` is that of the judge. */
  decisions: z.array(
    z.object({ after: z.string(), accepted: z.boolean(), why: z.string(), costUsd: usd.optional() }),
  ),
  /** The step whose work was handed in; null if no agent gave any. */
  delivered: z.string().nullable(),
})
export type CascadeState = z.infer<typeof CascadeState>
