import type { RateLimits } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import type { Account } from '../agent.ts'
import type { Server, Vendor } from '../vendor.ts'
import { isWebAddress, notWebAddress, publicAddress } from './address.ts'
import { findKey, isServerAddress, type KeySettings, serverOfKey } from './find-key.ts'

/** A user's settings of a provider. What is absent comes from the environment. */
export interface EndpointSettings extends KeySettings {
  limits?: RateLimits
}

/** The address and key of a vendor's models. The key is read for each agent and is never stored or shown. */
interface Endpoint {
  /** Undefined if it is not set or not valid. */
  baseUrl: string | undefined
  key: string | undefined
  /** The variable that holds the key, or should hold it. */
  keyVariable: string
  /** What is missing before a model can be called. */
  problems: readonly Problem[]
}

/** Resolves a vendor's endpoint from settings and environment. */
export function endpointOf(
  vendor: Vendor,
  settings: EndpointSettings = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Endpoint {
  const server = serverFor(vendor, settings, environment)
  const given = settings.baseUrl ?? (environment[server.baseUrlVariable ?? '']?.trim() || undefined)
  const usable = given !== undefined && isWebAddress(given) ? withVersion(given, vendor.version) : undefined
  const baseUrl = given === undefined ? server.baseUrl : usable
  const shown = baseUrl === undefined ? '' : publicAddress(baseUrl)
  const place = { vendor, server, address: baseUrl, shown, settings, environment }
  const { key, keyVariable, problem } = findKey(place)
  const where = `provider ${vendor.name}`
  const problems: Problem[] = problem ? [{ where, ...problem }] : []
  if (given !== undefined && usable === undefined)
    problems.push({
      where,
      what: `${settings.baseUrl === undefined ? server.baseUrlVariable : 'baseUrl'} ${notWebAddress.what}`,
      fix: notWebAddress.fix,
    })
  if (usable !== undefined && new URL(usable).username + new URL(usable).password !== '')
    problems.push({
      where,
      what: `${settings.baseUrl === undefined ? server.baseUrlVariable : 'baseUrl'} has a user or password, with which no request can be sent`,
      fix: `Write the address without it; the key is read from ${keyVariable}.`,
    })
  if (given === undefined && server.baseUrl === undefined && !vendor.addressOptional)
    problems.push({
      where,
      what: `${server.baseUrlVariable} is not set`,
      fix: 'Set it to the address of the server, such as http://127.0.0.1:8000/v1.',
    })
  return { baseUrl, key, keyVariable, problems }
}

function serverFor(
  vendor: Vendor,
  { baseUrl, keyVariable }: EndpointSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Server {
  const { instead } = vendor
  if (!instead) return vendor
  if (baseUrl !== undefined) return isServerAddress(instead, baseUrl, environment) ? instead : vendor
  if (keyVariable !== undefined && serverOfKey(keyVariable) !== undefined)
    return instead.keyVariables.includes(keyVariable) ? instead : vendor
  return environment[instead.baseUrlVariable ?? '']?.trim() ? instead : vendor
}

/** Returns the account that counts the calls to an endpoint. */
export function accountOf(
  { name }: Vendor,
  { baseUrl, key, keyVariable }: Endpoint,
  { limits = {} }: EndpointSettings = {},
): Account {
  const parts = [...(baseUrl ? [publicAddress(baseUrl)] : []), ...(key === undefined ? [] : [keyVariable])]
  return { name: parts.length > 0 ? `${name} (${parts.join(', ')})` : name, limits }
}

function withVersion(url: string, version = ''): string {
  const bare = url.replace(/\/+$/, '')
  return bare.endsWith(version) ? bare : `${bare}${version}`
}
