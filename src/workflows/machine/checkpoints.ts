import type { Checkpoint } from '../../schema/machine/machine-file.ts'
import { findDispute } from './disputes.ts'
import { elapsedOf, isWatched, type MachineRun } from './machine-run.ts'

/** Why the orchestrator is asked. */
export interface Trigger {
  checkpoint: Checkpoint
  fact: string
}

/** How often a state must be entered by a retry before the orchestrator hears of it. */
const manyRetries = 2
/** The part of a limit of time at which the orchestrator is warned. */
const warningAt = 0.8

/** Returns the checkpoints that the last transition has reached, of those at which the orchestrator is asked. */
export function reachedCheckpoints(run: MachineRun): Trigger[] {
  const found: { checkpoint: Checkpoint; find: (run: MachineRun) => string | undefined }[] = [
    { checkpoint: 'quality_gate_disagree', find: findDispute },
    { checkpoint: 'repeated_retry', find: repeatedRetry },
    { checkpoint: 'timeout_warning', find: timeoutWarning },
  ]
  return found.flatMap(({ checkpoint, find }) => {
    const fact = isWatched(run, checkpoint) ? find(run) : undefined
    return fact === undefined ? [] : [{ checkpoint, fact }]
  })
}

function repeatedRetry({ transitions }: MachineRun): string | undefined {
  const last = transitions.at(-1)
  if (last?.result !== 'retry') return undefined
  const count = transitions.filter(({ to, result }) => to === last.to && result === 'retry').length
  return count >= manyRetries ? `state ${last.to} was sent back ${count} times` : undefined
}

/** Warns once of each limit of time. */
function timeoutWarning(run: MachineRun): string | undefined {
  const { rules, hard } = run.machine.circuit_breaker
  const limits = [
    ...rules.flatMap((rule) => (rule.rule === 'time' ? [rule.max_s * (1 + (run.raised.time ?? 0))] : [])),
    hard.time_s,
  ]
  const seconds = elapsedOf(run) / 1000
  const near = limits.filter((limit) => seconds >= limit * warningAt && !run.warned.has(limit))
  for (const limit of near) run.warned.add(limit)
  return near.length > 0 ? `${Math.round(seconds)} s of ${Math.min(...near)} s have passed` : undefined
}
