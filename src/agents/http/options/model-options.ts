import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelSetting } from '../../../schema/agent/model-setting.ts'
import type { Family } from '../family.ts'

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
