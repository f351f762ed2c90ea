import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/**
 * Kills processes below this one, from outside: the first whose command line fits, and so on until `times` are killed or 25 s are
 * over. Returns how many were.
 */
export async function killBelow(
  fits: (words: string) => boolean,
  signal: NodeJS.Signals,
  times = 1,
): Promise<number> {
  const killed = new Set<number>()
  const until = performance.now() + 25_000
  while (killed.size < times && performance.now() < until) {
    const found = below(process.pid).find((pid) => !killed.has(pid) && fits(read(`/proc/${pid}/cmdline`)))
    if (found !== undefined) {
      killed.add(found)
      process.kill(found, signal)
    }
    await setTimeout(found === undefined ? 15 : 150)
  }
  return killed.size
}

/** The process that wraps a program in its sandbox; or the program itself, of which the words are known. */
export const wrapperOf = (mark: string) => (words: string) => words.includes('bwrap') && words.includes(mark)
export const programOf = (mark: string) => (words: string) => !words.includes('bwrap') && words.includes(mark)

/** The processes below one, each before those that it started. */
const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)])

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).trim().split(/\s+/).filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
