import { z } from 'zod'
import { AgentSetting, ProviderSetting } from '../agent/agent-settings.ts'
import { ModelPrices } from '../agent/prices.ts'
import { KeepWorkspaces } from '../keep-workspaces.ts'
import { Budget, Limits } from '../limits.ts'
import { Tool } from '../tool/tool.ts'
import { VariableName } from '../variable-name.ts'
import { Capture } from './run.ts'

/** A label in tables and records, written before `=`. */
const Label = z.string().regex(/^[\w.-]+$/, 'must be a name of letters, digits, dots, dashes and underscores')

/** One text, or a list of texts. */
const List = z.union([z.string(), z.array(z.string())])

const NamedAgent = z.strictObject({
  ...AgentSetting.shape,
  provider: z.string().min(1).describe('As listed by bench agents.'),
  model: z.string().min(1).optional().describe('The model in provider:model.'),
  prices: ModelPrices.optional().describe('US dollars per million tokens.'),
})
export type NamedAgent = z.infer<typeof NamedAgent>

const NamedMethod = z.strictObject({
  strategy: z
    .string()
    .min(1)
    .optional()
    .describe('A strategy, also with a document (NAME:FILE), or a file; default: the name of the entry.'),
  options: z.record(z.string(), z.unknown()).optional().describe('As listed by bench methods NAME.'),
  roles: z.record(z.string(), z.string()).optional().describe('Agents by role, in live mode.'),
  tools: List.optional().describe('Its tools in place of those of `run.tools`, or none.'),
  limits: Limits.optional().describe('Limits of each of its trials.'),
  budget: Budget.optional().describe('Budget of all its trials together.'),
})

/** Defaults of options of `bench run`. The command line overrides them. */
const RunDefaults = z.strictObject({
  tasks: z.union([List, z.int().positive()]).optional(),
  tag: List.optional().describe('Only tasks with one of these tags.'),
  where: List.optional().describe('Only tasks for which all conditions hold, such as difficulty>=0.5.'),
  sample: z.int().positive().optional().describe('A sample of so many tasks, by suite and difficulty.'),
  methods: List.optional(),
  mode: z.enum(['dev', 'live']).optional(),
  agents: List.optional().describe(
    'The agent for all roles, in live mode. With several agents, each runs every method.',
  ),
  judges: List.optional().describe('The agents that judge tasks with a rubric, in live mode.'),
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
  approve: z
    .string()
    .regex(/^(?:ask|yes|abort|park|file:.+)$/, 'must be ask, yes, abort, park or file:PATH')
    .optional()
    .describe('Who answers when a method asks a person: ask, yes, abort, park or file:PATH.'),
  failIf: List.optional(),
  inject: z.array(z.string()).optional(),
  sandbox: z.string().optional(),
  allowUnsandboxed: z.boolean().optional(),
  allowProviderTools: z
    .boolean()
    .optional()
    .describe('Agent programs may use what their provider runs, such as a web search.'),
  allowUnpriced: z
    .boolean()
    .optional()
    .describe('Run although a limit in dollars or tokens cannot count some calls.'),
  gradeCandidates: z.boolean().optional(),
  keepWorkspaces: KeepWorkspaces.optional().describe('Of which trials workspaces/TRIAL is kept.'),
  matchBudget: z.string().optional(),
  keepGoing: z.boolean().optional(),
  tools: List.optional().describe(
    'Tools of every `produce` role: read, list, write, check, memory, or names of `tools`; or none.',
  ),
  toolTurns: z.int().min(2).optional().describe('Most turns of one ask with tools. Default: 20.'),
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
    .describe('Default in live mode: 500.'),
})

/** bench.config.yaml: defaults of flags, and settings that no flag has. */
export const Config = z.strictObject({
  run: RunDefaults.optional(),
  agents: z.record(Label, z.union([z.string().min(1), NamedAgent])).optional(),
  roles: z.record(z.string(), z.string()).optional().describe('Agents by role, in live mode.'),
  methods: z.record(Label, NamedMethod).optional(),
  providers: z.record(z.string(), ProviderSetting).optional(),
  tools: z
    .record(Label, Tool)
    .optional()
    .describe('Tools that --tools and the option tools of a method can name.'),
  limits: z
    .strictObject({
      run: Budget.optional(),
      method: Budget.optional().describe('Budget of each method.'),
      trial: TrialLimits.optional(),
      ask: Budget.optional().describe('Default limits of each ask.'),
    })
    .optional(),
  prices: z.record(z.string(), ModelPrices).optional().describe('By agent; US dollars per million tokens.'),
  secrets: z.array(VariableName).optional().describe('Further variables whose values are redacted.'),
  capture: Capture.optional(),
  notify: List.optional().describe(
    'Told at the end of bench run: an http(s) address, or a command as a text or a list of words.',
  ),
  confirmAboveUsd: z
    .number()
    .nonnegative()
    .optional()
    .describe('Ask for confirmation before a run with a paid agent that may cost more.'),
})
export type Config = z.infer<typeof Config>
