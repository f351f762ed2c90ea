import { z } from 'zod'

/** The hard limits: 50 transitions, an hour, 10 dollars. Nothing overrides them. */
export const HardLimits = z.strictObject({
  transitions: z.int().positive().max(50).default(50),
  time_s: z.number().positive().max(3600).default(3600),
  cost_usd: z.number().positive().max(10).default(10),
})

/** Rules that stop a machine and let its orchestrator decide. */
export const BreakerRule = z.discriminatedUnion('rule', [
  z.strictObject({
    rule: z.literal('state_visits'),
    max: z.int().positive().default(3).describe('Breaks when a state is entered this often.'),
  }),
  z.strictObject({
    rule: z.literal('cycle').describe('Breaks when the last two transitions repeat the two before them.'),
  }),
  z.strictObject({
    rule: z.literal('transitions'),
    max: z.int().positive().default(20).describe('Breaks after this many transitions.'),
  }),
  z.strictObject({
    rule: z.literal('time'),
    max_s: z
      .number()
      .positive()
      .default(1800)
      .describe("Breaks after this time of the trial's clock, in seconds."),
  }),
  z.strictObject({
    rule: z.literal('cost'),
    max_usd: z.number().positive().default(5).describe('Breaks after this spending, in US dollars.'),
  }),
])
export type BreakerRule = z.infer<typeof BreakerRule>

/** The rules of a machine. The first that matches, in this order, is reported. */
export const CircuitBreaker = z.strictObject({
  rules: z
    .array(BreakerRule)
    .default([
      { rule: 'state_visits', max: 3 },
      { rule: 'cycle' },
      { rule: 'transitions', max: 20 },
      { rule: 'time', max_s: 1800 },
      { rule: 'cost', max_usd: 5 },
    ]),
  hard: HardLimits.prefault({}),
})
export type CircuitBreaker = z.infer<typeof CircuitBreaker>
