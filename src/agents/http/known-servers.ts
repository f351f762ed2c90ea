import { isSameOrigin } from '../../text/same-origin.ts'
import { servers } from '../servers.ts'
import type { Server } from '../vendor.ts'
import { families } from './families.ts'

type Environment = Readonly<Record<string, string | undefined>>

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

/** Describes a server for a message: its address, and the variable that may give another address. */
export function describeServer({ baseUrl, baseUrlVariable }: Server): string {
  return [baseUrl, baseUrlVariable].filter((one) => one !== undefined).join(' or ')
}
