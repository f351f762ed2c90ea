import type { Problem } from '../../text/errors.ts'
import type { Server, Vendor } from '../vendor.ts'
import { isSameOrigin } from './address.ts'
import { describeServer, isServerAddress, serverOfKey } from './known-servers.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a user may set of address and key. */
export interface KeySettings {
  baseUrl?: string
  /** Name of the environment variable that holds the key: a key itself stands in no settings. */
  keyVariable?: string
  /** A key that was set for another address of the same provider, and so is none for this one. */
  withheldKey?: string
}

/** The key for an address, or why there is none for it. */
interface FoundKey {
  key?: string | undefined
  /** The variable that holds the key, or should. */
  keyVariable: string
  problem?: Omit<Problem, 'where'>
}

/** Where an agent is asked, and what was said of that. */
interface Place {
  vendor: Vendor
  /** The vendor's own server, or the one that it asks instead. */
  server: Server
  /** Undefined: nobody said where, or said it wrongly. */
  address: string | undefined
  /** The address as it may be told. */
  shown: string
  settings: KeySettings
  environment: Environment
}

/**
 * Finds the key that belongs to an address. A key goes where its variable belongs, or where the user's settings name it and
 * the address together; to no other server.
 */
export function findKey(place: Place): FoundKey {
  const { vendor, server, address, shown, settings, environment } = place
  const { keyVariables } = server
  const [first = ''] = keyVariables
  if (settings.withheldKey !== undefined && address !== undefined)
    return foreign(settings.withheldKey, 'another address of its provider', shown)
  if (settings.keyVariable !== undefined) return namedKey(settings.keyVariable, place)
  if (
    address !== undefined &&
    settings.baseUrl !== undefined &&
    !isServerAddress(server, address, environment)
  ) {
    const isNeeded = !vendor.keyOptional || hasNoHome(server, environment)
    return isNeeded ? foreign(first, describeServer(server), shown) : { keyVariable: first }
  }
  const keyVariable = keyVariables.find((name) => valueIn(name, environment)) ?? first
  const key = valueIn(keyVariable, environment)
  if (key !== undefined || vendor.keyOptional) return { keyVariable, key }
  return { keyVariable, problem: { what: `${keyVariable} is not set`, fix: remedy(vendor, server) } }
}

/** A key that settings name. Without an address beside it, one that bench knows stays with its own server. */
function namedKey(keyVariable: string, { address, shown, settings, environment }: Place): FoundKey {
  const owner = serverOfKey(keyVariable)
  const isGiven = settings.baseUrl !== undefined
  if (owner && address !== undefined && !isGiven && !isServerAddress(owner, address, environment)) {
    const what = belongs(keyVariable, describeServer(owner), shown)
    const fix = 'Name another variable, or write baseUrl beside keyVariable if you mean it.'
    return { keyVariable, problem: { what, fix } }
  }
  const key = valueIn(keyVariable, environment)
  if (key !== undefined) return { keyVariable, key }
  const what = `${keyVariable} is not set`
  return { keyVariable, problem: { what, fix: 'Put your key into that variable.' } }
}

/**
 * What is set of one agent over what is set of all agents of its provider. A key that was named for another address does
 * not come along; `ownAddress` is the vendor's.
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

function foreign(keyVariable: string, home: string, shown: string): FoundKey {
  const what = `its key is not set: ${belongs(keyVariable, home, shown)}`
  const fix = `Name the variable that holds the key of ${shown} as keyVariable, beside baseUrl.`
  return { keyVariable, problem: { what, fix } }
}

const belongs = (keyVariable: string, home: string, shown: string) =>
  `${keyVariable} belongs to ${home}, not to ${shown}`

/** Somebody's key, and nobody said whose: sent nowhere, and not silently left out. */
const hasNoHome = ({ keyVariables, baseUrl, baseUrlVariable = '' }: Server, environment: Environment) =>
  baseUrl === undefined &&
  valueIn(baseUrlVariable, environment) === undefined &&
  keyVariables.some((name) => valueIn(name, environment) !== undefined)

function remedy(vendor: Vendor, server: Server): string {
  const put = 'Put your key into that variable.'
  const { instead } = vendor
  if (!instead) return put
  if (server === instead) return `${put} Or unset ${instead.baseUrlVariable} to ask ${vendor.baseUrl}.`
  return `${put} Or set ${[instead.baseUrlVariable, ...instead.keyVariables].join(' and ')} to ask another server.`
}

const valueIn = (name: string, environment: Environment) => environment[name]?.trim() || undefined
