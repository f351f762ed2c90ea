import { SandboxLevel } from '../schema/sandbox-level.ts'
import type { SandboxRun } from './sandbox.ts'

const weakestFirst = [...SandboxLevel.options].reverse()

/** The weakest of some levels; undefined where nothing ran. */
export function weakestLevel(levels: Iterable<SandboxLevel | undefined>): SandboxLevel | undefined {
  let weakest: SandboxLevel | undefined
  for (const level of levels) if (level !== undefined) weakest = weaker(weakest, level)
  return weakest
}

function weaker(a: SandboxLevel | undefined, b: SandboxLevel): SandboxLevel {
  return a === undefined || weakestFirst.indexOf(b) < weakestFirst.indexOf(a) ? b : a
}

/** The same door, and the weakest level at which something ran through it so far. */
export function trackLevel(run: SandboxRun): { run: SandboxRun; weakest: SandboxLevel | undefined } {
  const watched: ReturnType<typeof trackLevel> = {
    run: async (command) => {
      const result = await run(command)
      watched.weakest = weaker(watched.weakest, result.level)
      return result
    },
    weakest: undefined,
  }
  return watched
}
