import type { Problem } from '../../text/errors.ts'
import { isSameOrigin } from '../../text/same-origin.ts'
import { type Server, servers, type Vendor } from '../vendor.ts'
import { families } from './families.ts'

/** All servers whose key variables are known: those in `servers.ts`, then those of families that name a server of their own. */
const knownServers: readonly Server[] = [...Object.values(servers), ...families]

/** Returns the server that the key in a variable belongs to, or undefined for a variable that only the user knows. */
export const serverOfKey = (variable: string): Server | undefined =>
  knownServers.find(({ keyVariables }) => keyVariables.includes(variable))

/** Whether an address is a server's own address or the one that the environment gives for it. */
export function isServerAddress(server: Server, address: string, environment: Environment): boolean {
  const { baseUrl, baseUrlVariable = '' } = server
  return [baseUrl, environment[baseUrlVariable]?.trim()].some((one) => isSameOrigin(one, address))
}

function describeServer({ baseUrl, baseUrlVariable }: Server): string {
  return [baseUrl, baseUrlVariable].filter((one) => one !== undefined).join(' or ')
}

type Environment = Readonly<Record<string, string | undefined>>

/** A user's settings of address and key. */
export interface KeySettings {
  baseUrl?: string
  /** Name of the environment variable that holds the key. Settings never contain a key itself. */
  keyVariable?: string
  /** The variable of a key that was set for another address of the same provider, and so must not be sent to this one. */
  withheldKey?: string
}

interface FoundKey {
  key?: string | undefined
  /** The variable that holds the key, or should hold it. */
  keyVariable: string
  problem?: Omit<Problem, 'where'>
}

interface Place {
  vendor: Vendor
  /** The vendor's own server, or its alternative. */
  server: Server
  /** Undefined if it is not set or not valid. */
  address: string | undefined
  /** The address as messages may show it. */
  shown: string
  settings: KeySettings
  environment: Environment
}

/**
 * Finds the key for an address. A key is sent to the server that its variable belongs to, or to an address that the user's
 * settings name together with it, and to no other server.
 */
export function findKey(place: Place): FoundKey {
  const { vendor, server, address, shown, settings, environment } = place
  const { keyVariables } = server
  const [first = ''] = keyVariables
  if (settings.withheldKey !== undefined && address !== undefined)
    return withheld(settings.withheldKey, 'another address of its provider', shown)
  if (settings.keyVariable !== undefined) return namedKey(settings.keyVariable, place)
  if (
    address !== undefined &&
    settings.baseUrl !== undefined &&
    !isServerAddress(server, address, environment)
  ) {
    const isNeeded = !vendor.keyOptional || isOwnerUnknown(server, environment)
    return isNeeded ? withheld(first, describeServer(server), shown) : { keyVariable: first }
  }
  const keyVariable = keyVariables.find((name) => valueIn(name, environment)) ?? first
  const key = valueIn(keyVariable, environment)
  if (key !== undefined || vendor.keyOptional) return { keyVariable, key }
  return { keyVariable, problem: { what: `${keyVariable} is not set`, fix: remedy(vendor, server) } }
}

/** Finds a key that settings name. Without an address beside it, a key of a known server is sent only to that server. */
function namedKey(keyVariable: string, { address, shown, settings, environment }: Place): FoundKey {
  const owner = serverOfKey(keyVariable)
  const isGiven = settings.baseUrl !== undefined
  if (owner && address !== undefined && !isGiven && !isServerAddress(owner, address, environment)) {
    const what = belongsText(keyVariable, describeServer(owner), shown)
    const fix = 'Name another variable, or set baseUrl beside keyVariable to send the key there.'
    return { keyVariable, problem: { what, fix } }
  }
  const key = valueIn(keyVariable, environment)
  if (key !== undefined) return { keyVariable, key }
  const what = `${keyVariable} is not set`
  return { keyVariable, problem: { what, fix: 'Set it to your key.' } }
}

/**
 * Merges the settings of one agent over those of its provider. A key that was named for another address is withheld.
 * `ownAddress` is the vendor's address.
 */
export function mergeSettings<Settings extends KeySettings>(
  outer: Settings,
  inner: Settings,
  ownAddress: string | undefined,
): Settings {
  const { keyVariable, ...rest } = outer
  const merged = { ...outer, ...inner }
  if (keyVariable === undefined || inner.keyVariable !== undefined || inner.baseUrl === undefined)
    return merged
  const meant = outer.baseUrl ?? serverOfKey(keyVariable)?.baseUrl ?? ownAddress
  if (meant === undefined || isSameOrigin(meant, inner.baseUrl)) return merged
  return { ...(rest as Settings), ...inner, withheldKey: keyVariable }
}

function withheld(keyVariable: string, home: string, shown: string): FoundKey {
  const what = `its key is not set: ${belongsText(keyVariable, home, shown)}`
  const fix = `Set keyVariable, beside baseUrl, to the name of the variable that holds the key of ${shown}.`
  return { keyVariable, problem: { what, fix } }
}

const belongsText = (keyVariable: string, home: string, shown: string) =>
  `${keyVariable} belongs to ${home}, not to ${shown}`

/** Whether a key is set but no address says which server it belongs to. It is then refused, not silently left out. */
const isOwnerUnknown = ({ keyVariables, baseUrl, baseUrlVariable = '' }: Server, environment: Environment) =>
  baseUrl === undefined &&
  valueIn(baseUrlVariable, environment) === undefined &&
  keyVariables.some((name) => valueIn(name, environment) !== undefined)

function remedy(vendor: Vendor, server: Server): string {
  const put = 'Set it to your key.'
  const { instead } = vendor
  if (!instead) return put
  if (server === instead) return `${put} Or unset ${instead.baseUrlVariable} to use ${vendor.baseUrl}.`
  return `${put} Or set ${[instead.baseUrlVariable, ...instead.keyVariables].join(' and ')} to use another server.`
}

const valueIn = (name: string, environment: Environment) => environment[name]?.trim() || undefined
