import type { Phase } from '../../schema/ledger/record.ts'
import { comparePlaces, effectKey } from '../../schema/ledger/turn-key.ts'
import { type TrialState, withheldText } from '../state/trial-state.ts'

type Asked = TrialState['asked'][number]

/** Returns the phase history of a trial: its attempts in order. All turns of an ask with tools are one phase. */
export function phasesOf(trialState: TrialState): Phase[] {
  const phases = new Map<string, Phase>()
  for (const asked of [...trialState.asked].sort(byClock)) {
    const { key, attempt } = asked.step
    const isTurn = effectKey(key) !== key
    const name = isTurn ? effectKey(key) : `${key}/${attempt}`
    const before = phases.get(name)
    const phase = phaseOf(trialState, asked)
    phases.set(name, before ? joined(before, phase) : phase)
  }
  return [...phases.values()]
}

/** Sorts by clock and key, since parallel branches end in any order. */
function byClock(a: Asked, b: Asked): number {
  if (a.step.at !== b.step.at) return a.step.at - b.step.at
  if (a.branch !== b.branch) return a.branch < b.branch ? -1 : 1
  return comparePlaces(a.step.key, b.step.key) || a.step.attempt - b.step.attempt
}

/** Adds a turn to the phase of its ask, calls of tools between them included. */
const joined = (before: Phase, turn: Phase): Phase => ({
  ...before,
  durationMs: turn.at + turn.durationMs - before.at,
  tokens: before.tokens === null && turn.tokens === null ? null : (before.tokens ?? 0) + (turn.tokens ?? 0),
  summary: turn.summary,
})

function phaseOf(trialState: TrialState, { step, branch, text }: Asked): Phase {
  return {
    role: step.role,
    agent: step.agent,
    branch,
    at: step.at,
    durationMs: step.durationMs,
    tokens:
      step.tokens.input === null && step.tokens.output === null
        ? null
        : (step.tokens.input ?? 0) + (step.tokens.output ?? 0),
    iteration: step.iteration ?? {},
    summary: trialState.secret ? withheldText : firstLine(text),
  }
}

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
