import { z } from 'zod'
import { settings } from '../settings/settings.ts'

const name = z.string().min(1)
const percent = z.number().lt(100)
const multiple = z.number().positive()

/** One row of a policy: a method, what it is compared with, and how much worse or dearer it may be. */
export const GateRow = z.strictObject({
  method: name.describe('The method that must pass, as tables of the run name it.'),
  against: name.describe('Another method of the run, or RUN:METHOD of an earlier one.'),
  suite: name.optional().describe('The suite whose tasks count. Default: `all`.'),
  outcome: z
    .enum(settings.outcome.value)
    .default('success')
    .describe('What the margins are about: success or score.'),
  margin: percent.min(0).optional().describe('Points by which the outcome may lie below that of `against`.'),
  relativeMargin: percent
    .gt(0)
    .optional()
    .describe(
      'The same in percent of the outcome of `against`; of both margins the smaller counts. It guards low baselines: 5 points are much below 8.',
    ),
  cost: multiple.optional().describe('The cost of a trial may be at most so many times that of `against`.'),
  tokens: multiple.optional().describe('The same of tokens.'),
  time: multiple.optional().describe('The same of time.'),
})
export type GateRow = z.infer<typeof GateRow>

/** A policy: the limits that decide whether a run passes. */
export const GatePolicy = z.strictObject({
  level: z
    .number()
    .gt(0)
    .lt(50)
    .default(5)
    .describe('Chance in percent that the policy fails although no limit is exceeded. Default: 5.'),
  gates: z.array(GateRow).min(1),
})
export type GatePolicy = z.infer<typeof GatePolicy>
