import { z } from 'zod'
import { AgentSetting, ProviderSetting } from '../agent/agent-settings.ts'
import { ModelPrices } from '../agent/prices.ts'
import { Budget, Limits } from '../limits.ts'
import { VariableName } from '../variable-name.ts'
import { Capture } from './run.ts'

/** As in tables and records, and on the left of `=`. */
const Label = z.string().regex(/^[\w.-]+$/, 'is not a name of letters, digits, dots, dashes and underscores')

/** One text, or a list of them. */
const List = z.union([z.string(), z.array(z.string())])

const NamedAgent = z.strictObject({
  ...AgentSetting.shape,
  provider: z.string().min(1).describe('As bench agents lists them.'),
  model: z.string().min(1).optional().describe('What stands after the colon of provider:model.'),
  prices: ModelPrices.optional().describe('US dollars per million tokens.'),
})

const NamedMethod = z.strictObject({
  strategy: z
    .string()
    .min(1)
    .optional()
    .describe('A strategy or a file; the name of the entry where absent.'),
  options: z.record(z.string(), z.unknown()).optional().describe('As bench methods NAME lists them.'),
  roles: z.record(z.string(), z.string()).optional().describe('Agents by role, in live mode.'),
  limits: Limits.optional().describe('Of each of its trials.'),
  budget: Budget.optional().describe('Of all its trials together.'),
})

/** Options of bench run that the command line would give, and that it wins over. */
const RunDefaults = z.strictObject({
  tasks: z.union([List, z.int().positive()]).optional(),
  methods: List.optional(),
  mode: z.enum(['dev', 'live']).optional(),
  agents: List.optional().describe(
    'The agent for all roles, in live mode; of several, each runs every method.',
  ),
  profile: z.string().optional(),
  epochs: z.int().positive().optional(),
  seed: z.int().min(0).optional(),
  parallel: z.int().positive().optional(),
  retries: z.int().min(0).optional(),
  baseline: z.string().optional(),
  family: z.enum(['all', 'baseline']).optional(),
  outcome: z.enum(['success', 'score']).optional(),
  margin: z.number().gt(0).lt(100).optional().describe('In percentage points.'),
  stopWhen: z.string().optional(),
  approve: z.enum(['yes', 'abort']).optional(),
  failIf: List.optional(),
  inject: z.array(z.string()).optional(),
  sandbox: z.string().optional(),
  allowUnsandboxed: z.boolean().optional(),
  gradeCandidates: z.boolean().optional(),
  matchBudget: z.string().optional(),
  keepGoing: z.boolean().optional(),
  endBlocked: z
    .union([z.number().nonnegative(), z.literal('none')])
    .optional()
    .describe('In seconds.'),
})
export type RunDefaults = z.infer<typeof RunDefaults>

const TrialLimits = z.strictObject({
  ...Limits.shape,
  calls: z
    .union([z.int().positive(), z.literal('none')])
    .optional()
    .describe('In live mode 500 where absent.'),
})

/** bench.config.yaml: what would otherwise be typed each time, and what no flag can say. */
export const Config = z.strictObject({
  run: RunDefaults.optional(),
  agents: z.record(Label, z.union([z.string().min(1), NamedAgent])).optional(),
  roles: z.record(z.string(), z.string()).optional().describe('Agents by role, in live mode.'),
  methods: z.record(Label, NamedMethod).optional(),
  providers: z.record(z.string(), ProviderSetting).optional(),
  limits: z
    .strictObject({
      run: Budget.optional(),
      method: Budget.optional().describe('Of each method.'),
      trial: TrialLimits.optional(),
      ask: Budget.optional().describe('Of each ask, where the strategy says nothing.'),
    })
    .optional(),
  prices: z.record(z.string(), ModelPrices).optional().describe('By agent; US dollars per million tokens.'),
  secrets: z.array(VariableName).optional().describe('Further variables whose values are redacted.'),
  capture: Capture.optional(),
  confirmAboveUsd: z
    .number()
    .nonnegative()
    .optional()
    .describe('Ask before a run with a paid agent may cost more.'),
})
export type Config = z.infer<typeof Config>
