import type { JSONObject, LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Wire } from '../../schema/agent/agent-program.ts'
import type { Effort, ModelSetting } from '../../schema/agent/agent-settings.ts'
import type { ModelSettingRange } from '../model-settings.ts'
import type { Vendor } from '../vendor.ts'

interface ModelAddress {
  model: string
  /** With the version in its path, without a trailing slash. */
  baseUrl: string
  /** Undefined if the server needs none. */
  key: string | undefined
  /** Makes the requests of one call. */
  fetch: typeof globalThis.fetch
}

/** A provider over HTTP: all that its models have in common. */
export interface Family extends Vendor {
  /** One line for `bench agents`. */
  summary: string
  /** Creates the model object, one for each call. Import the vendor's library in here, so that only runs that use it load it. */
  load(address: ModelAddress): Promise<LanguageModelV3>
  /** The formats in which its servers take requests. */
  wires: readonly Wire[]
  /** The settings of models that its agents take, and their values. */
  modelSettings: readonly (keyof ModelSetting)[]
  range: ModelSettingRange
  /** The name under which its library takes provider options. */
  optionsName: string
  /** Returns the options of its library that set how much a model reasons. */
  reasoningOptions(reasoning: Effort | number): JSONObject
  /** Provider options of every call. */
  options?: SharedV3ProviderOptions
  /** Provider options that mark the last message of a conversation for caching, for vendors that cache only marked messages. */
  cacheMark?: SharedV3ProviderOptions
  /** The key of the provider options that say whether a schema of structured output is strict. Absent for vendors without that option. */
  strictName?: string
  /** Whether arguments of tools must match their schemas exactly, for vendors whose own default would change the schemas. */
  strictTools?: boolean
}

/** Returns the settings that every vendor's library gets: base URL, key, and the `fetch` of the call. */
export const settingsOf = ({ baseUrl, key, fetch }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch,
  ...(key !== undefined && { apiKey: key }),
})
