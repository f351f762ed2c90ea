import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { type ProcessIdentity, thisProcess } from '../machine/process-identity.ts'

/**
 * Returns the prefix of private folder names. It names the owning process: no program inside can change the name, and it exists
 * as soon as the folder does.
 */
export function folderPrefix(): string {
  const { pid, started } = thisProcess()
  return `bench-${machineId()}-${pid}-${started ?? 0}-`
}

/** Parses the process that created a folder of this name; undefined if bench did not create it, or did on another machine. */
export function parseOwner(name: string): ProcessIdentity | undefined {
  const [, where, pid, started] = /^bench-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/.exec(name) ?? []
  if (where !== machineId()) return undefined
  return { pid: Number(pid), started: started === '0' ? null : (started ?? null) }
}

let known: string | undefined

/**
 * Returns an id of this machine or container: a hash of host name, machine id and PID namespace. Two processes with the same id
 * see the same process numbers. All three are needed: containers may share a folder, and so may machines of one name.
 */
export function machineId(): string {
  known ??= createHash('sha256')
    .update(`${hostname()} ${systemId()} ${pidNamespace()}`)
    .digest('hex')
    .slice(0, 8)
  return known
}

/** Returns the machine id, which survives a restart; empty if there is none, as in many containers. */
function systemId(): string {
  try {
    return readFileSync('/etc/machine-id', 'latin1').trim()
  } catch {
    return ''
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // not Linux: there are no namespaces
  }
}
