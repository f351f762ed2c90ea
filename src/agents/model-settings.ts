import { type Effort, type ModelSetting, modelSettings } from '../schema/agent/agent-settings.ts'
import type { Problem } from '../text/errors.ts'
import { findKeyIn } from '../text/hide-keys.ts'
import { isObject } from '../text/is-object.ts'
import { secretsOf } from '../text/redact.ts'

/** Which values of the settings of a model a provider takes. */
export interface ModelSettingRange {
  /** The highest temperature; default: 2. */
  temperature?: number
  efforts?: readonly Effort[]
  /** The smallest budget of reasoning in tokens; absent if it takes no budget. */
  leastBudget?: number
  /** What to write instead of a budget. */
  insteadOfBudget?: string
}

/** What an agent asks of its model beside the prompt. */
export interface AskedOfModel {
  /** The agent's name in records. */
  name: string
  setting: ModelSetting
  /** Asks for data hold the model to their schema. */
  isNative?: boolean
}

/** A setting that a provider does not take, and why. */
export interface SettingProblem extends Omit<Problem, 'where'> {
  /** The setting, and where it applies the field in it: `providerOptions.headers`. */
  field: string
}

/** Returns the settings of a model out of all settings of an agent; undefined if none is set. */
export function modelSettingOf(setting: ModelSetting): ModelSetting | undefined {
  const set = modelSettings.filter((name) => setting[name] !== undefined)
  return set.length === 0 ? undefined : Object.fromEntries(set.map((name) => [name, setting[name]]))
}

/** Returns what is wrong with the values of settings that a provider takes. */
export function settingValueProblems(
  provider: string,
  { temperature: highest = 2, ...range }: ModelSettingRange,
  { temperature, reasoning, providerOptions = {} }: ModelSetting,
): SettingProblem[] {
  const problems: SettingProblem[] = []
  if (temperature !== undefined && temperature > highest)
    problems.push({
      field: 'temperature',
      what: `${temperature} is too high for "${provider}"`,
      fix: `Write a number from 0 to ${highest}.`,
    })
  const wrong = reasoning === undefined ? undefined : reasoningProblem(provider, range, reasoning)
  if (wrong) problems.push({ field: 'reasoning', ...wrong })
  return [...problems, ...optionProblems(providerOptions, reasoning !== undefined)]
}

function reasoningProblem(
  provider: string,
  { efforts = [], leastBudget, insteadOfBudget }: ModelSettingRange,
  reasoning: Effort | number,
): Omit<Problem, 'where'> | undefined {
  const anEffort = `an effort: ${efforts.join(', ')}`
  const budget = leastBudget === undefined ? '' : `, or a budget of at least ${leastBudget} tokens`
  const fix = efforts.length > 0 ? `Write ${anEffort}${budget}.` : undefined
  if (typeof reasoning === 'string') {
    if (efforts.includes(reasoning)) return undefined
    return { what: `"${provider}" does not take the effort ${reasoning}`, ...(fix && { fix }) }
  }
  if (leastBudget === undefined) {
    const what = `"${provider}" takes no budget in tokens (${reasoning})`
    return { what, fix: insteadOfBudget ?? fix ?? 'Leave it out.' }
  }
  if (reasoning >= leastBudget) return undefined
  return { what: `a budget of ${reasoning} tokens is too small for "${provider}"`, ...(fix && { fix }) }
}

/** Names of options, without case and underscores, that bench itself sets for every call. */
const ownOptions = new Set(
  [
    'model messages input contents prompt system instructions systemInstruction stream streamOptions tools toolChoice',
    'format responseFormat text maxTokens maxOutputTokens maxCompletionTokens numCtx numPredict conversation previousResponseId',
  ].flatMap((names) => names.toLowerCase().split(' ')),
)

const reasoningOptions = new Set([
  'reasoning',
  'reasoningeffort',
  'forcereasoning',
  'thinking',
  'effort',
  'thinkingconfig',
  'think',
])

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

function optionProblems(options: Readonly<Record<string, unknown>>, hasReasoning: boolean): SettingProblem[] {
  // Ollama's server has options of the model inside those of the request.
  const inner = isObject(options.options) ? Object.keys(options.options).map((name) => `options.${name}`) : []
  const problems = [...Object.keys(options), ...inner].flatMap((path): SettingProblem[] => {
    const field = `providerOptions.${path}`
    const name = path.replace('options.', '')
    if (ownOptions.has(plain(name))) return [{ field, what: 'is set by bench', fix: 'Leave it out.' }]
    if (plain(name) === 'temperature' || plain(name) === 'seed')
      return [{ field, what: 'is a setting of the agent', fix: `Set agents.NAME.${plain(name)} instead.` }]
    if (hasReasoning && reasoningOptions.has(plain(name)))
      return [{ field, what: 'repeats what reasoning sets', fix: 'Leave out one of the two.' }]
    return []
  })
  return [...problems, ...keyFields(options, 'providerOptions')]
}

/** Names under which requests carry keys, beside those of variables. */
const headerName = /^(?:extra)?(?:headers?|authorization|cookie)$/

const keyStart =
  /^(?:bearer\s+\S|sk-[\w-]{12}|AIza[\w-]{20}|gsk_\w{12}|xai-\w{12}|gh[pousr]_\w{12}|hf_\w{12})/i

/** Finds fields that hold keys. Their values stand in no message. */
function keyFields(value: unknown, field: string): SettingProblem[] {
  if (!isObject(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = Array.isArray(value) ? field : `${field}.${name}`
    if (!isKeyField(name, inner)) return keyFields(inner, at)
    const fix = 'Set keyVariable to the environment variable that holds the key.'
    return [{ field: at, what: 'is a key or header; a config file must not hold keys', fix }]
  })
}

const isKeyField = (name: string, value: unknown) =>
  headerName.test(plain(name)) ||
  (typeof value === 'string' &&
    (keyStart.test(value) ||
      findKeyIn(`${name}=${value}`) !== undefined ||
      secretsOf({ [name]: value }).secrets.length > 0))

/** Returns options as messages may show them: `[hidden]` instead of keys. */
export function hideKeyFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one, i) => hideKeyField(String(i), one))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideKeyField(name, one)]))
}

const hideKeyField = (name: string, value: unknown) =>
  isKeyField(name, value) ? '[hidden]' : hideKeyFields(value)
