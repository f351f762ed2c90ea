import type { AskStep } from '../schema/step.ts'
import type { Used } from './limits.ts'
import { roundedSum } from './spending.ts'

/** What a method has spent that a limit of its own or of the run may look at. */
export interface Spent extends Used {
  /** Calls whose tokens, and whose price, were not reported. */
  unreportedTokens: number
  unreportedCost: number
}

/** Nothing spent. */
export function nothingSpent(): Spent {
  return { calls: 0, checks: 0, tokens: 0, costUsd: 0, timeMs: 0, unreportedTokens: 0, unreportedCost: 0 }
}

/** Adds what a call used, but for the call itself. */
export function addUsage(spent: Spent, { tokens, costUsd, durationMs }: AskStep): void {
  spent.tokens += (tokens.input ?? 0) + (tokens.output ?? 0)
  spent.costUsd = roundedSum(spent.costUsd + (costUsd ?? 0))
  spent.timeMs += durationMs
  if (tokens.input === null || tokens.output === null) spent.unreportedTokens++
  if (costUsd === null) spent.unreportedCost++
}
