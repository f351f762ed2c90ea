import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptionsWithStringEncoding,
  type SpawnSyncReturns,
  type StdioOptions,
  spawn,
  spawnSync,
} from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Starts a process as `spawn` does, but no descriptor above 2 that this process inherited reaches it: only those of `stdio` do. Every
 * process of this package starts by a function of this file.
 */
export function startProcess(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const { stdio, release } = coverInherited(options.stdio)
  try {
    return spawn(file, args, { ...options, stdio })
  } finally {
    release()
  }
}

/** The same as `spawnSync`. */
export function runProcessSync(
  file: string,
  args: readonly string[],
  options: SpawnSyncOptionsWithStringEncoding,
): SpawnSyncReturns<string> {
  const { stdio, release } = coverInherited(options.stdio)
  try {
    return spawnSync(file, args, { ...options, stdio })
  } finally {
    release()
  }
}

type StdioList = Exclude<StdioOptions, string>

/**
 * Returns `stdio` with `/dev/null` at each descriptor that a new process would inherit. (`ignore` leaves descriptors above 2 as they
 * are.) Call `release` once the process has started.
 */
export function coverInherited(stdio: StdioOptions = 'pipe'): { stdio: StdioList; release(): void } {
  const list: StdioList = typeof stdio === 'string' ? [stdio, stdio, stdio] : [...stdio]
  const inherited = allClosed ? [] : findInheritable().filter((fd) => isFree(list[fd]))
  if (inherited.length === 0) return { stdio: list, release: () => {} }
  const nothing = openSync('/dev/null', 'r+')
  for (let at = list.length; at < Math.max(...inherited); at++) list[at] = 'ignore'
  for (const fd of inherited) list[fd] = nothing
  return { stdio: list, release: () => closeSync(nothing) }
}

const isFree = (entry: StdioList[number]) => entry === undefined || entry === null || entry === 'ignore'

/**
 * Closes the descriptors above 2 that this process inherited from whatever started it, so that no process of this one gets them, not
 * even one that a user's module starts. Only for a process that is ours as a whole, at its beginning.
 */
export function closeInherited(): void {
  // Files that V8 opens for these look like inherited ones.
  if (
    [...process.execArgv, process.env.NODE_OPTIONS].some((option) => /--(prof|perf|log)/.test(option ?? ''))
  )
    return
  const channel = (process.channel as { fd?: number } | undefined)?.fd
  const inherited = findInheritable()
  for (const fd of inherited) if (fd !== channel) closeSync(fd)
  allClosed = channel === undefined || !inherited.includes(channel)
}

/** Nothing inherited is open any more, and Node opens nothing that a new process would inherit: no spawn need look again. */
let allClosed = false

const closeOnExec = 0o2000000

/**
 * Lists the descriptors above 2 that a new process would inherit. Node opens its own with close-on-exec. On macOS none is inherited,
 * since libuv starts processes with `POSIX_SPAWN_CLOEXEC_DEFAULT`.
 */
function findInheritable(): number[] {
  if (process.platform !== 'linux') return []
  return openDescriptors().filter((fd) => fd > 2 && isInheritable(fd))
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch (error) {
    // Without /proc nobody knows them. The probe reports those that reach a sandbox.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function isInheritable(fd: number): boolean {
  let text: string
  try {
    text = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')
  } catch {
    return false // the list of descriptors itself, which is closed by now
  }
  return (Number.parseInt(/^flags:\s+(\d+)/m.exec(text)?.[1] ?? '0', 8) & closeOnExec) === 0
}
