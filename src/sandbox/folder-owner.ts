import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { type ProcessIdentity, thisProcess } from './process-identity.ts'

/**
 * How the name of a private folder begins: whose it is stands in its name, where nothing that runs inside can change it
 * and where it is from the very moment the folder is there.
 */
export function folderPrefix(): string {
  const { pid, started } = thisProcess()
  return `bench-${machine()}-${pid}-${started ?? 0}-`
}

/** The process that made a folder of this name; undefined for what is not ours, or was made where numbers mean another process. */
export function ownerOf(name: string): ProcessIdentity | undefined {
  const [, where, pid, started] = /^bench-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/.exec(name) ?? []
  if (where !== machine()) return undefined
  return { pid: Number(pid), started: started === '0' ? null : (started ?? null) }
}

let known: string | undefined

/** Names where process numbers mean the same, by host name and PID namespace: containers may share a folder. */
export function machine(): string {
  known ??= createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8)
  return known
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // not Linux: there is but one
  }
}
