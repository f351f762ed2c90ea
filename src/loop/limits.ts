import { LimitError } from '../errors.ts'
import type { Limits } from '../schema/limits.ts'
import type { Branch } from './branch.ts'
import { fromJournal, type TrialDoor } from './door.ts'

/** A limit that is reached: its name and the sentence for the record. */
interface Reached {
  limit: keyof Limits
  reason: string
}

/**
 * Which limit of the trial forbids the branch another effect. Looks at the bill that was joined when the branch was
 * opened plus its own, so that parallel branches cannot see each other's timing; their overshoot is recorded.
 */
function reachedLimit(limits: Limits, branch: Branch, effect: 'ask' | 'check'): Reached | undefined {
  const { bill, clock } = branch
  const tokens = bill.input + bill.output
  if (effect === 'ask' && limits.calls !== undefined && bill.calls >= limits.calls)
    return { limit: 'calls', reason: `${bill.calls} of ${limits.calls} calls used` }
  if (effect === 'check' && limits.checks !== undefined && bill.checks >= limits.checks)
    return { limit: 'checks', reason: `${bill.checks} of ${limits.checks} checks used` }
  if (limits.tokens !== undefined && tokens >= limits.tokens)
    return { limit: 'tokens', reason: `${tokens} of ${limits.tokens} tokens used` }
  if (limits.costUsd !== undefined && bill.costUsd >= limits.costUsd)
    return { limit: 'costUsd', reason: `$${bill.costUsd.toFixed(4)} of $${limits.costUsd} spent` }
  if (limits.timeMs !== undefined && clock >= limits.timeMs)
    return { limit: 'timeMs', reason: `${Math.round(clock)} of ${limits.timeMs} ms used` }
  return undefined
}

/** Refuses an effect that a limit of the trial forbids: the refusal is a step, and the trial is limited from here on. */
export function refuse(
  door: TrialDoor,
  branch: Branch,
  effect: 'ask' | 'check',
  key: string,
  attempt: number,
  hash: string,
): void {
  const reached = reachedLimit(door.trial.cell.limits, branch, effect)
  if (!reached) return
  const { limit, reason } = reached
  door.limited ??= `${limit}: ${reason}`
  const recorded = fromJournal(door, key, attempt, hash, () => `refused: ${reason}`)
  if (!recorded) {
    door.run.journal?.step({
      trial: door.trial.id,
      key,
      attempt,
      kind: 'limit',
      payer: 'method',
      simulated: door.run.mode === 'dev',
      hash,
      at: branch.clock,
      durationMs: 0,
      limit,
      reason,
    })
  }
  throw new LimitError(limit, reason)
}

/** What a branch has used of everything that can be limited. */
export function usedOf({ bill, clock }: Branch): Required<Limits> {
  return {
    calls: bill.calls,
    checks: bill.checks,
    tokens: bill.input + bill.output,
    costUsd: bill.costUsd,
    timeMs: clock,
  }
}

/** By how much a finished trial went past its limits; undefined when it did not. */
export function overshoot(limits: Limits, branch: Branch): Record<string, number> | undefined {
  if (Object.keys(limits).length === 0) return undefined
  const used = usedOf(branch)
  const over = Object.entries(used).flatMap(([name, value]) => {
    const limit = limits[name as keyof Limits]
    return limit !== undefined && value > limit ? [[name, value - limit] as const] : []
  })
  return over.length > 0 ? Object.fromEntries(over) : undefined
}
