import { readdirSync, readFileSync } from 'node:fs'

/**
 * Memory that a process and all below it share with each other: shared mappings, and the tables of pages, which no limit of the
 * kernel's on a process counts either. What several of them map is counted once where that takes the sum over `limit`, which it costs
 * something to find out. Bytes; 0 where the process has ended.
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

/** How fast a program fills memory at most, by which the next look comes in time; bytes per ms. */
const fastest = (8 * 1024 ** 3) / 1000
const shortestMs = 5

/** When to look again at a program that shares so much; ms, at most `longestMs`. */
export function nextCheckMs(shared: number, limit: number, longestMs: number): number {
  return Math.max(shortestMs, Math.min(longestMs, (limit - shared) / fastest))
}

function withDescendants(process: number): number[] {
  const found = [process]
  for (const pid of found)
    for (const thread of numbersIn(`/proc/${pid}/task`))
      found.push(...read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
  return found
}

/** Sum of some fields, which the kernel gives in KiB; undefined where there is none of them. */
function bytesIn(pid: number, file: string, fields: readonly string[], more = 0): number | undefined {
  const lines = read(`/proc/${pid}/${file}`).matchAll(/^(\w+):\s+(\d+) kB$/gm)
  const values = [...lines].flatMap(([, name = '', value]) => (fields.includes(name) ? [Number(value)] : []))
  return values.length === 0 ? undefined : sum(values) * 1024 + more
}

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

function numbersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // it has ended in the meantime
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // it has ended in the meantime
  }
}
