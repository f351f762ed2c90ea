import { SandboxLevel } from '../schema/sandbox-level.ts'
import type { SandboxRun } from './sandbox.ts'

const weakestFirst = [...SandboxLevel.options].reverse()

/** Returns the weakest of some levels; undefined if nothing ran. */
export function weakestLevel(levels: Iterable<SandboxLevel | undefined>): SandboxLevel | undefined {
  let weakest: SandboxLevel | undefined
  for (const level of levels) if (level !== undefined) weakest = weaker(weakest, level)
  return weakest
}

function weaker(a: SandboxLevel | undefined, b: SandboxLevel): SandboxLevel {
  return a === undefined || weakestFirst.indexOf(b) < weakestFirst.indexOf(a) ? b : a
}

/** Wraps `run` and records the weakest level at which it has run something. */
export function trackLevel(run: SandboxRun): { run: SandboxRun; weakest: SandboxLevel | undefined } {
  const tracked: ReturnType<typeof trackLevel> = {
    run: async (command) => {
      const result = await run(command)
      tracked.weakest = weaker(tracked.weakest, result.level)
      return result
    },
    weakest: undefined,
  }
  return tracked
}
