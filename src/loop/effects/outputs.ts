import type { Outputs, Spent } from '../../strategy.ts'
import type { Bill } from '../budget/spending.ts'
import type { TrialState } from '../state/trial-state.ts'

/** Returns the files that a method keeps beside its workspace. */
export function outputsOf({ outputs }: TrialState): Outputs {
  return {
    write: (path, text) => void outputs.set(path, text),
    read: (path) => outputs.get(path),
    list: () => [...outputs.keys()].sort(),
  }
}

/** Returns what a bill's asks have spent. */
export function spentOf({ calls, input, output, costUsd, unreportedTokens, unreportedCost }: Bill): Spent {
  const areTokensKnown = unreportedTokens === 0
  return {
    calls,
    input: areTokensKnown ? input : null,
    output: areTokensKnown ? output : null,
    costUsd: unreportedCost === 0 ? costUsd : null,
  }
}
