import { z } from 'zod'
import { AgentSetting, ProviderSetting } from '../agent/agent-settings.ts'
import { ModelPrices } from '../agent/prices.ts'
import { Budget, Limits } from '../limits.ts'
import type { Setting } from '../settings/plan-settings.ts'
import { type SettingIn, type Settings, settings, settingsIn } from '../settings/settings.ts'
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

/** What a setting is in the config file. */
const fileValues = {
  switch: z.boolean(),
  text: z.string(),
  texts: z.array(z.string()),
  list: List,
  tasks: z.union([List, z.int().positive()]),
  agents: List,
  policy: z.string().regex(/^(?:ask|yes|abort|park|file:.+)$/, 'must be ask, yes, abort, park or file:PATH'),
  count: z.int().positive(),
  natural: z.int().min(0),
  turns: z.int().min(2),
  points: z.number().gt(0).lt(100),
  seconds: z.union([z.number().nonnegative(), z.literal('none')]),
}

/** The type of a setting, given the schema of each kind of value. */
export type ValueOf<Kinds extends Record<string, z.ZodType>, Value> = Value extends readonly (infer Word)[]
  ? Word
  : Value extends keyof Kinds
    ? z.infer<Kinds[Value]>
    : never

type FileShape = {
  [Name in SettingIn<'file'>]: z.ZodOptional<z.ZodType<ValueOf<typeof fileValues, Settings[Name]['value']>>>
}

const fileShape = Object.fromEntries(
  settingsIn('file').map((name) => {
    const { value, file }: Setting = settings[name]
    const type: z.ZodType = typeof value === 'string' ? fileValues[value] : z.enum(value)
    return [name, file === undefined ? type.optional() : type.optional().describe(file)]
  }),
) as FileShape

/** Defaults of options of `bench run`. The command line overrides them. */
const RunDefaults = z.strictObject(fileShape)
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
