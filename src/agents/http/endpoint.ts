import type { Problem } from '../../errors.ts'
import type { RateLimits } from '../../schema/limits.ts'
import type { Account } from '../agent.ts'
import type { Vendor } from '../vendor.ts'

/** What a user may set of a provider; what is absent comes from the environment. */
export interface EndpointSettings {
  baseUrl?: string
  /** Name of the environment variable that holds the key: a key itself stands in no settings. */
  keyVariable?: string
  /** What it lets through. */
  limits?: RateLimits
}

/** Where a vendor's models are asked. The key is read anew for each agent and never leaves this object's users. */
export interface Endpoint {
  /** Undefined: nobody said where. */
  baseUrl: string | undefined
  key: string | undefined
  /** The variable that holds the key, or should. */
  keyVariable: string
  /** What is missing before a model can be asked. */
  problems: readonly Problem[]
}

/** Resolves a vendor's endpoint from settings and environment. */
export function endpointOf(
  vendor: Vendor,
  settings: EndpointSettings = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Endpoint {
  const names = settings.keyVariable === undefined ? vendor.keyVariables : [settings.keyVariable]
  const keyVariable = names.find((name) => environment[name]?.trim()) ?? names[0] ?? ''
  const key = environment[keyVariable]?.trim() || undefined
  const given = settings.baseUrl ?? (environment[vendor.baseUrlVariable ?? '']?.trim() || undefined)
  const where = `provider ${vendor.name}`
  const problems: Problem[] = []
  if (key === undefined && !(vendor.keyOptional && settings.keyVariable === undefined))
    problems.push({ where, what: `${keyVariable} is not set`, fix: 'Put your key into that variable.' })
  if (given !== undefined && !isWebAddress(given))
    problems.push({ where, what: 'its base URL is not one', fix: 'Write it like https://host/v1.' })
  if (given === undefined && vendor.baseUrl === undefined && !vendor.addressOptional)
    problems.push({
      where,
      what: `${vendor.baseUrlVariable} is not set`,
      fix: 'Say where the server is, like http://127.0.0.1:8000/v1.',
    })
  const usable = given !== undefined && isWebAddress(given) ? withVersion(given, vendor.version) : undefined
  return { baseUrl: given === undefined ? vendor.baseUrl : usable, key, keyVariable, problems }
}

/** Who counts the calls to an endpoint. */
export function accountOf(
  { name }: Vendor,
  { baseUrl, key, keyVariable }: Endpoint,
  { limits = {} }: EndpointSettings = {},
): Account {
  const parts = [...(baseUrl ? [publicAddress(baseUrl)] : []), ...(key === undefined ? [] : [keyVariable])]
  return { name: parts.length > 0 ? `${name} (${parts.join(', ')})` : name, limits }
}

/** An address as it may be told: without user, password, query and fragment. */
export function publicAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

const isWebAddress = (text: string) =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

function withVersion(url: string, version = ''): string {
  const bare = url.replace(/\/+$/, '')
  return bare.endsWith(version) ? bare : `${bare}${version}`
}
