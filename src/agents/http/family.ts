import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'

/** Where a model is and with what it is asked. */
export interface ModelAddress {
  model: string
  /** With the version in its path, without a slash at the end. */
  baseUrl: string
  /** Undefined: the server asks for none. */
  key: string | undefined
}

/** What is the same for all models of one vendor. */
export interface Family {
  /** The provider's name before the colon. */
  name: string
  summary: string
  /** Environment variables that hold the key; the first that is set counts. */
  keyVariables: readonly string[]
  /** Servers of one's own often need none. */
  keyOptional?: true
  /** Environment variable with another base URL, as the vendor's own tools read it. */
  baseUrlVariable: string
  /** The vendor's own; absent where every user has another. */
  baseUrl?: string
  /** What every base URL's path ends in; put there where it is missing. */
  version?: string
  /** Name in the price table; absent where only the address tells who bills. */
  billedBy?: string
  /** Makes the model object. It loads the vendor's library, which nothing before a trial may do. */
  load(address: ModelAddress): Promise<LanguageModelV3>
  /** What this vendor alone has to be told in each call. */
  options?: SharedV3ProviderOptions
  /** Marks what the next call of a session repeats, for a vendor that caches only what is marked. */
  cacheMark?: SharedV3ProviderOptions
}
