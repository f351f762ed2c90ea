import type { Problem } from '../../errors.ts'
import type { Family } from './family.ts'

/** What a user may set of a provider; what is absent comes from the environment. */
export interface EndpointSettings {
  baseUrl?: string
  /** Name of the environment variable that holds the key: a key itself stands in no settings. */
  keyVariable?: string
}

/** Where a family's models are asked. The key is read anew for each agent and never leaves this object's users. */
export interface Endpoint {
  /** Undefined: nobody said where. */
  baseUrl: string | undefined
  key: string | undefined
  /** The variable that holds the key, or should. */
  keyVariable: string
  /** What is missing before a model can be asked. */
  problems: readonly Problem[]
}

/** Resolves a family's endpoint from settings and environment. */
export function endpointOf(
  family: Family,
  settings: EndpointSettings = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Endpoint {
  const names = settings.keyVariable === undefined ? family.keyVariables : [settings.keyVariable]
  const keyVariable = names.find((name) => environment[name]?.trim()) ?? (names[0] as string)
  const key = environment[keyVariable]?.trim() || undefined
  const given = settings.baseUrl ?? (environment[family.baseUrlVariable]?.trim() || undefined)
  const where = `provider ${family.name}`
  const problems: Problem[] = []
  if (key === undefined && !(family.keyOptional && settings.keyVariable === undefined))
    problems.push({ where, what: `${keyVariable} is not set`, fix: 'Put your key into that variable.' })
  if (given !== undefined && !isWebAddress(given))
    problems.push({ where, what: 'its base URL is not one', fix: 'Write it like https://host/v1.' })
  if (given === undefined && family.baseUrl === undefined)
    problems.push({
      where,
      what: `${family.baseUrlVariable} is not set`,
      fix: 'Say where the server is, like http://127.0.0.1:8000/v1.',
    })
  const usable = given !== undefined && isWebAddress(given) ? withVersion(given, family.version) : undefined
  return { baseUrl: given === undefined ? family.baseUrl : usable, key, keyVariable, problems }
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
