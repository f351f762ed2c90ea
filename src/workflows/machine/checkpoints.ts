import type { Checkpoint } from '../../schema/machine/machine-file.ts'
import { elapsedOf, isWatched, type MachineRun, type Verdict } from './machine-run.ts'
import type { StateInput } from './state-prompt.ts'

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
  const letGo = run.letGo.rules.get('time') ?? 0
  const limits = [
    ...rules.flatMap((rule) => (rule.rule === 'time' ? [rule.max_s * (1 + letGo)] : [])),
    hard.time_s,
  ]
  const seconds = elapsedOf(run) / 1000
  const near = limits.filter((limit) => seconds >= limit * warningAt && !run.warned.has(limit))
  for (const limit of near) run.warned.add(limit)
  return near.length > 0 ? `${Math.round(seconds)} s of ${Math.min(...near)} s have passed` : undefined
}

/** Two verdicts differ when their decisions do, or when their scores are this far apart. */
const farApart = 3

/** Returns the verdicts of a gate about all that it read. */
export const gateVerdicts = (
  state: string,
  inputs: readonly StateInput[],
  { decision, quality_score: score }: { decision: string; quality_score: number },
): Verdict[] =>
  inputs.map(({ path, version }) => ({ by: state, among: 'gates', path, version, decision, score }))

/** Returns the verdict of an auditor about each target: the mean over the criteria. */
export function auditVerdicts(
  { auditor: by, among }: { auditor: string; among: string },
  inputs: readonly StateInput[],
  scores: readonly { target: string; score: number }[],
): Verdict[] {
  return inputs.flatMap(({ path, version }) => {
    const own = scores.filter(({ target }) => target === path).map(({ score }) => score)
    if (own.length === 0) return []
    return [{ by, among, path, version, score: own.reduce((sum, one) => sum + one, 0) / own.length }]
  })
}

/** Returns how new verdicts differ from others about the same output, as a fact; undefined if they do not. */
function findDispute(run: MachineRun): string | undefined {
  const { verdicts, comparedVerdicts: from } = run
  run.comparedVerdicts = verdicts.length
  const facts = verdicts.flatMap((later, place) =>
    place < from
      ? []
      : verdicts
          .slice(0, place)
          .filter((earlier) => differ(earlier, later))
          .map((earlier) => `${sayOf(earlier)} and ${sayOf(later)} about ${later.path}`),
  )
  return facts.length > 0 ? [...new Set(facts)].slice(0, 3).join('; ') : undefined
}

function differ(one: Verdict, other: Verdict): boolean {
  const isSame = one.among === other.among && one.path === other.path && one.version === other.version
  return isSame && (one.decision !== other.decision || Math.abs(one.score - other.score) >= farApart)
}

const sayOf = ({ by, decision, score }: Verdict) =>
  `${by} said ${decision === undefined ? '' : `${decision}, `}${Number(score.toFixed(1))} of 10`
