import { z } from 'zod'
import { defineStrategy } from '../src/strategy.ts'
import { UserError } from '../src/text/errors.ts'
import { runChain } from '../src/workflows/chain/run-chain.ts'
import {
  chainFlow,
  chainRoles,
  readState,
  rolesOfStages,
  StageName,
  stageNames,
  stagesIn,
} from '../src/workflows/chain/stages.ts'
import { endWith } from '../src/workflows/end.ts'

const Stages = z
  .string()
  .refine((text) => text.split(':').every((name) => StageName.safeParse(name).success), {
    error: `must be names of stages with colons between them: ${stageNames.join(':')}`,
  })
  .refine((text) => new Set(text.split(':')).size === text.split(':').length, {
    error: 'names a stage twice',
  })

/** Programs plan, build, test, review, document and ship. They share a state file, and start external tools. */
export const chained = defineStrategy({
  name: 'chained',
  summary:
    'Programs plan, build, test, review, document and ship; they share a state file and start external tools.',
  roles: chainRoles,
  declaration: ({ stages, only, reports }) => ({
    flow: chainFlow(stagesIn(stages), only),
    stop: 'all stages are good, one breaks, or the rounds are used up',
    context:
      reports === 'raw'
        ? 'the plan, the problems that reviews name, and all that builds and tests print'
        : 'the plan, and the failures alone of builds, tests and reviews, as compact JSON',
  }),
  options: z.strictObject({
    rounds: z.int().positive().default(3).describe('maximum number of rounds of build, test and review'),
    stages: Stages.default(stageNames.join(':')).describe(
      'the stages of the chain, with colons between them',
    ),
    stageSeconds: z
      .number()
      .positive()
      .default(600)
      .describe("longest time of a stage's own; the time in which it waits for agents does not count"),
    reports: z
      .enum(['compact', 'raw'])
      .default('compact')
      .describe('what agents read of builds and tests: the failures alone as JSON, or all that these print'),
    only: StageName.nullable().default(null).describe('stage that runs alone; set by bench stage'),
    state: z.string().nullable().default(null).describe('state file that it begins with; set by bench stage'),
    start: z
      .record(z.string(), z.string())
      .nullable()
      .default(null)
      .describe('files that the workflow began with, by path; set by bench stage'),
  }),
  rolesOf: ({ stages, only }) => rolesOfStages(stagesIn(stages), only),
  programs: ['strategies/chained', 'dist/bench/tools', 'dist/bench/client.mjs'],
  resolve(options) {
    const read = options.state === null ? undefined : readState(options.state)
    if (read && 'problem' in read) throw new UserError({ where: 'option state', what: read.problem })
    return options
  },

  async run(context) {
    const { stages, stageSeconds, state, ...options } = context.options
    const read = state === null ? undefined : readState(state)
    return endWith(
      context,
      await runChain(context, {
        ...options,
        ...{ stages: stagesIn(stages), timeoutMs: stageSeconds * 1000 },
        state: read && 'state' in read ? read.state : undefined,
      }),
    )
  },
})
