import type { LanguageModelV3CallOptions, SharedV3ProviderOptions, SharedV3Warning } from '@ai-sdk/provider'
import { type ModelSetting, modelSettings } from '../../schema/agent/agent-settings.ts'
import type { Problem } from '../../text/errors.ts'
import { issueText } from '../../text/issue-text.ts'
import type { AskedOfModel } from '../model-settings.ts'
import type { Family } from './family.ts'

/** What an agent's settings add to every call: temperature, seed, and the options of the family with the agent's own. */
export interface ModelOptions extends Pick<LanguageModelV3CallOptions, 'temperature' | 'seed'> {
  options?: SharedV3ProviderOptions | undefined
}

/** Returns the options of a family's calls with those of an agent's settings, which win. Without settings it adds nothing. */
export function modelOptions(
  { options, optionsName, reasoningOptions }: Pick<Family, 'options' | 'optionsName' | 'reasoningOptions'>,
  { temperature, seed, reasoning, providerOptions }: ModelSetting = {},
): ModelOptions {
  const own = {
    ...(reasoning !== undefined && reasoningOptions(reasoning)),
    ...providerOptions,
  }
  return {
    temperature,
    seed,
    options:
      Object.keys(own).length === 0
        ? options
        : { ...options, [optionsName]: { ...options?.[optionsName], ...own } },
  }
}

/**
 * Returns the settings that would not reach the model: a vendor's library drops some for some models, with a warning or in silence.
 * It builds requests with the settings and without, and sends nothing.
 */
export async function droppedSettings(
  family: Family,
  model: string,
  { name, setting, isNative = false }: AskedOfModel,
): Promise<Problem[]> {
  const build = (some: ModelSetting) => buildRequest(family, model, some, isNative)
  const where = `agent ${name}`
  const whole = await build(setting)
  if ('error' in whole)
    return [
      { where, what: `its settings give no valid request: ${whole.error}`, fix: 'Correct providerOptions.' },
    ]
  const problems: Problem[] = []
  const causes = new Map<string, string[]>()
  for (const [field, others] of withoutEach(setting)) {
    const rest = await build(others)
    if ('error' in rest) continue
    const warned = whole.warnings.filter((text) => !rest.warnings.includes(text))
    for (const text of warned) causes.set(text, [...(causes.get(text) ?? []), field])
    if (warned.length === 0 && rest.request === whole.request)
      problems.push({
        where,
        what: `${field} changes nothing in a request: "${family.name}" does not know it, or sends it anyway`,
        fix: 'Leave it out, or correct its name; see bench help providers.',
      })
  }
  const dropped = [...causes].map(([text, fields]) => ({
    where,
    what: `${fields.join(' beside ')} would not reach the model: ${text}`,
    fix: `Leave out ${fields.join(' or ')}, or choose another model or value.`,
  }))
  return [...dropped, ...problems]
}

function withoutEach(setting: ModelSetting): [field: string, others: ModelSetting][] {
  const { providerOptions = {} } = setting
  const fields = modelSettings.filter((one) => one !== 'providerOptions' && setting[one] !== undefined)
  return [
    ...fields.map((field): [string, ModelSetting] => [field, { ...setting, [field]: undefined }]),
    ...Object.keys(providerOptions).map((option): [string, ModelSetting] => {
      const { [option]: _, ...others } = providerOptions
      return [`providerOptions.${option}`, { ...setting, providerOptions: others }]
    }),
  ]
}

type Built = { request: string; warnings: string[] } | { error: string }

async function buildRequest(
  family: Family,
  model: string,
  setting: ModelSetting,
  isNative: boolean,
): Promise<Built> {
  let request = ''
  const fetch: typeof globalThis.fetch = async (_, init) => {
    request = JSON.stringify([Object.entries(init?.headers ?? {}), String(init?.body)])
    return new Response('', { headers: { 'content-type': 'text/event-stream' } })
  }
  const { temperature, seed, options } = modelOptions(family, setting)
  const call: LanguageModelV3CallOptions = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    ...(isNative
      ? { responseFormat: { type: 'json', name: 'reply', schema: { type: 'object', properties: {} } } }
      : { tools: [{ type: 'function', name: 'read', inputSchema: { type: 'object', properties: {} } }] }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(options && { providerOptions: options }),
  }
  try {
    const loaded = await family.load({ model, baseUrl: 'http://localhost', key: 'none', fetch })
    const { stream } = await loaded.doStream(call)
    const warnings: string[] = []
    for await (const part of stream)
      if (part.type === 'stream-start') warnings.push(...part.warnings.map(warningText))
    return { request, warnings }
  } catch (error) {
    return { error: errorText(error) }
  }
}

/** Returns the words of an error. A library names wrong options in the causes of its error. */
function errorText(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { cause?: { issues?: unknown } } }
  const issues = cause?.cause?.issues
  if (!Array.isArray(issues)) return message ?? String(error)
  return issues.map((issue) => `${[issue.path].flat().join('.')}: ${issueText(issue)}`).join('; ')
}

function warningText(warning: SharedV3Warning): string {
  if (warning.type === 'other') return warning.message
  return 'details' in warning && warning.details ? warning.details : `${warning.feature} is not supported`
}
