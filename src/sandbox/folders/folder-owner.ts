import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { type ProcessIdentity, thisProcess } from '../machine/process-identity.ts'

/**
 * How the name of a private folder begins: whose it is stands in its name, where nothing that runs inside can change it
 * and where it is from the very moment the folder is there.
 */
export function folderPrefix(): string {
  const { pid, started } = thisProcess()
  return `bench-${machineId()}-${pid}-${started ?? 0}-`
}

/** The process that made a folder of this name; undefined for what is not ours, or was made where numbers mean another process. */
export function parseOwner(name: string): ProcessIdentity | undefined {
  const [, where, pid, started] = /^bench-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/.exec(name) ?? []
  if (where !== machineId()) return undefined
  return { pid: Number(pid), started: started === '0' ? null : (started ?? null) }
}

let known: string | undefined

/**
 * Names where process numbers mean the same, by host name, the system's own id and PID namespace: containers may share a folder,
 * and so may machines of one name, whose first namespaces have the same number everywhere.
 */
export function machineId(): string {
  known ??= createHash('sha256')
    .update(`${hostname()} ${systemId()} ${pidNamespace()}`)
    .digest('hex')
    .slice(0, 8)
  return known
}

/** Stays when the machine is restarted; empty where there is none, as in many containers. */
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
    return '' // not Linux: there is but one
  }
}
