import { type Line, play, type Scene } from '../../../src/testing.ts'
import { machineFrom, recordOf, runsMachine, states, verdict } from './machine-lines.ts'

type Change = Parameters<typeof machineFrom>[1]

/** One round of drafts. */
export const drafts = (round: number): Line<string>[] => [
  [`draft.ada${round > 1 ? `~${round}` : ''}: ada`, `A${round}`],
  [`draft.ben${round > 1 ? `~${round}` : ''}: ben`, `B${round}`],
]
/** A gate that sends the drafts back. */
export const retry = (score = 5): Line<string> => ['gate', verdict('retry', score, `be better than ${score}`)]
/** The rest of a run that goes well. */
export const end: Line<string>[] = [
  ['gate', verdict('proceed')],
  ['orchestrator', 'The whole text'],
]
/** What the orchestrator decides. */
export const decision = (reply: object): Line<string> => ['orchestrator', { reasoning: 'because', ...reply }]

/** Plays a machine with these changes against a script; returns what came of it with its record. */
export const run = async (change: Change, script: readonly Line<string>[], scene: Scene = {}) => {
  const played = await play(runsMachine(machineFrom(states, change)), {}, numbered(script), scene)
  return { ...played, record: recordOf(played.result) }
}

/** `play` names the second branch of a name as it names the first. */
const numbered = (script: readonly Line<string>[]) =>
  script.map(([who, ...rest]): Line<string> => [who.replace(/~\d+/, ''), ...rest])

/** A circuit breaker with these rules alone. */
export const rule = (...rules: NonNullable<NonNullable<Change>['circuit_breaker']>['rules'] & object) => ({
  circuit_breaker: { rules },
})
/** Two rounds of drafts, both sent back. */
export const twice = [...drafts(1), retry(), ...drafts(2), retry()]
