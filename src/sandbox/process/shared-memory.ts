import { readdirSync, readFileSync } from 'node:fs'

/**
 * Measures the memory that a process and its descendants share: shared mappings, and page tables, which no kernel limit of a
 * process counts either. A mapping of several processes is counted once, but only if the simple sum is over `limit`. Bytes; 0 if
 * the process has ended.
 */
export function measureSharedMemory(process: number, limit: number): number {
  const processes = withDescendants(process)
  const most = sum(processes.map((pid) => bytesIn(pid, 'status', ['RssShmem', 'VmPTE'])))
  if (most <= limit) return most
  return sum(
    processes.map((pid) => {
      const share = bytesIn(pid, 'smaps_rollup', ['Pss_Shmem'])
      return bytesIn(pid, 'status', share === undefined ? ['RssShmem', 'VmPTE'] : ['VmPTE'], share)
    }),
  )
}

/** The highest rate at which a program fills memory, from which the next check is scheduled; bytes per ms. */
const fastest = (8 * 1024 ** 3) / 1000
const shortestMs = 5

/** Returns the time until the next check of a program that shares this much; ms, at most `longestMs`. */
export function nextCheckMs(shared: number, limit: number, longestMs: number): number {
  return Math.max(shortestMs, Math.min(longestMs, (limit - shared) / fastest))
}

/** Returns a process and its descendants. */
export function withDescendants(process: number): number[] {
  const found = [process]
  for (const pid of found)
    for (const thread of numbersIn(`/proc/${pid}/task`))
      found.push(...readText(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
  return found
}

/** Returns the sum of some fields in bytes (the kernel gives KiB); undefined if none of them exists. */
function bytesIn(pid: number, file: string, fields: readonly string[], more = 0): number | undefined {
  const lines = readText(`/proc/${pid}/${file}`).matchAll(/^(\w+):\s+(\d+) kB$/gm)
  const values = [...lines].flatMap(([, name = '', value]) => (fields.includes(name) ? [Number(value)] : []))
  return values.length === 0 ? undefined : sum(values) * 1024 + more
}

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

function numbersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // it has ended
  }
}

/** Returns the text of a file of /proc; empty if its process has ended. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // it has ended
  }
}
