import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Vendor } from '../vendor.ts'

/** Where a model is and with what it is asked. */
export interface ModelAddress {
  model: string
  /** With the version in its path, without a slash at the end. */
  baseUrl: string
  /** Undefined: the server asks for none. */
  key: string | undefined
}

/** What is the same for all models of one vendor. */
export interface Family extends Vendor {
  summary: string
  /** Makes the model object. It loads the vendor's library, which nothing before a trial may do. */
  load(address: ModelAddress): Promise<LanguageModelV3>
  /** What this vendor alone has to be told in each call. */
  options?: SharedV3ProviderOptions
  /** Marks what the next call of a session repeats, for a vendor that caches only what is marked. */
  cacheMark?: SharedV3ProviderOptions
}
