import { SandboxLevel } from '../schema/sandbox-level.ts'
import type { SandboxRun } from './sandbox.ts'

const weakestFirst = [...SandboxLevel.options].reverse()

/** The weakest of some levels; undefined where nothing ran. */
export function weakestLevel(levels: Iterable<SandboxLevel | undefined>): SandboxLevel | undefined {
  const known = [...levels].filter((level) => level !== undefined)
  return weakestFirst.find((level) => known.includes(level))
}

/** The same door, and the weakest level at which something ran through it. */
export function withLevel(run: SandboxRun): { run: SandboxRun; weakest(): SandboxLevel | undefined } {
  const levels = new Set<SandboxLevel>()
  return {
    run: async (command) => {
      const result = await run(command)
      levels.add(result.level)
      return result
    },
    weakest: () => weakestLevel(levels),
  }
}
