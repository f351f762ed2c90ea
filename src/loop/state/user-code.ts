import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trial } from '../../schema/ledger/trial.ts'
import { InfrastructureError, thrownText } from '../../text/errors.ts'
import { nameBlocks, tellAtWork } from '../../user-code/block-state.ts'
import { thrownAt } from '../../user-code/module-place.ts'
import type { TrialDoor } from './trial-state.ts'

/*
 * A strategy or a script of the user's may throw where nobody awaits it: in a timer, a listener, a promise left alone. Node
 * tells only the process of it. So what such code begins is marked with its trial, in runs that have such code alone: the
 * marks cost every promise something.
 */
const whose = new AsyncLocalStorage<Whose>()

interface Whose {
  door: TrialDoor
  /** Absent: the method's own code. */
  agent: string | undefined
}

/** Trials under way that ran code of the user's, with the names of it. */
const underWay = new Map<TrialDoor, Set<string>>()

/** Runs code of the user's for a trial: its method's, or that of an agent. */
export function onBehalfOf<Result>(door: TrialDoor, agent: string | undefined, code: () => Result): Result {
  const names = underWay.get(door)
  if (names) names.add(nameOf(door, agent))
  else underWay.set(door, new Set([nameOf(door, agent)]))
  tellAtWork(namesUnderWay())
  return whose.run({ door, agent }, code)
}

/** Lets a throw that nobody awaits come up before its trial ends: Node tells of it between two turns of the event loop. */
export async function lastWords(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Forgets a trial that has ended. */
export function hasEnded(door: TrialDoor): void {
  underWay.delete(door)
  tellAtWork(namesUnderWay())
}

/** More than a few help nobody to find the one. */
const mostNames = 8

function namesUnderWay(): string {
  const names: string[] = []
  for (const [{ trial }, own] of underWay) {
    if (names.length === mostNames) break
    names.push(`${[...own].join(' and ')} in ${trialName(trial)}`)
  }
  return names.join(' or ')
}

/** The method, or the agent, whose code runs at this moment, with its trial. */
function whoRuns(): string | undefined {
  const found = whose.getStore()
  return found && `${nameOf(found.door, found.agent)} in ${trialName(found.door.trial)}`
}

nameBlocks(whoRuns)

/** As people find it: `bench show` takes the beginning of an id. */
const trialName = ({ id, cell, epoch }: Trial) => `trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch})`

/** Whose throw it was that came up outside of every call, and what became of it. */
export type Blame =
  /** Its trial ends in error, and the run goes on. */
  | { trial: string; name: string; place?: string | undefined; ended: false }
  /** Its trial had ended before: its record stands. */
  | { trial: string; name: string; place?: string | undefined; ended: true }
  /** Nobody knows; these ran code of the user's. */
  | { candidates: string[] }

/** Ends the trial whose code threw, where that can be known. To be called where the process is told of the error. */
export function blame(error: unknown): Blame {
  const found = whose.getStore()
  if (!found)
    return {
      candidates: [...underWay].flatMap(([door, names]) =>
        [...names].map((name) => `${name}, trial ${door.trial.id}`),
      ),
    }
  const { door, agent } = found
  const name = nameOf(door, agent)
  const told = { trial: door.trial.id, name, place: thrownAt(error)?.place }
  if (door.over) return { ...told, ended: true }
  // The first that was thrown counts, as it does for the outcome.
  if (!door.broken) noteThrown(door, error)
  breakOff(door, new InfrastructureError(`${name} threw where nobody awaited it: ${thrownText(error)}`))
  return { ...told, ended: false }
}

/** Keeps where code of the user's threw, for the record. It is no part of the outcome: it names this machine's files. */
export function noteThrown(door: TrialDoor, error: unknown): void {
  const at = thrownAt(error)
  const { redact } = door.run
  door.thrown = at && redact ? redact.data(at) : at
}

/** Ends a trial in error: what is in flight is cut off, and nothing more is begun. The first error counts. */
export function breakOff(door: TrialDoor, error: Error): void {
  door.broken ??= error
  door.cut?.abort()
  door.root.giveUp?.(error)
}

const nameOf = ({ trial }: TrialDoor, agent: string | undefined) =>
  agent === undefined
    ? `method ${trial.cell.method.label}`
    : `agent ${agent} of method ${trial.cell.method.label}`
