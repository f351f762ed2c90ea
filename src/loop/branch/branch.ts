import { setImmediate } from 'node:timers/promises'
import type { LimitError } from '../../text/errors.ts'
import type { Branch } from './trial-state.ts'
import { forkState } from './workspace.ts'

/** Maximum number of refusals that a branch may ignore before it is abandoned. */
export const maxRefusals = 20

/** Branch names that the journal uses itself, for grades and matched budgets: a branch of that name would share their keys. */
const reservedNames: ReadonlySet<string> = new Set(['grade', 'match'])

/**
 * Counts a refusal that the branch's work receives. Returns false, and abandons the branch, once there were more than
 * `maxRefusals`. The count is per branch, so it does not depend on the timing of other branches.
 */
export function countRefusal(branch: Branch, error: Error): boolean {
  if (++branch.refusals <= maxRefusals) return true
  branch.giveUp?.(error)
  return false
}

/** Returns the key of the branch's next effect. Throws when one is pending. */
export function nextKey(branch: Branch, what: string): string {
  requireIdle(branch, what)
  return `${branch.path}#${branch.counter++}`
}

/**
 * Runs the next effect of a branch under its key. Every effect stays pending for one iteration of the event loop: a second
 * effect beside it is then always refused, and interrupts are handled between two effects.
 */
export async function runEffect<T>(
  branch: Branch,
  what: string,
  effect: (key: string) => Promise<T>,
): Promise<T> {
  const key = nextKey(branch, what)
  branch.busy = true
  try {
    return await effect(key)
  } finally {
    await setImmediate()
    branch.busy = false
  }
}

/** Throws when an effect or a child branch is pending: the order of the two would depend on timing. */
export function requireIdle(branch: Branch, what: string): void {
  requireOpen(branch, what)
  const { busy, group } = branch
  if (busy || group)
    throw new Error(
      `[strategy] ${what} in ${nameOf(branch)} while ${busy ? 'another effect' : 'a child branch'} is pending. To run effects in parallel, open one branch() for each and await them together.`,
    )
}

/** Throws when the branch has been joined: later effects would be missing from every bill. */
export function requireOpen(branch: Branch, what: string): void {
  if (branch.ended)
    throw new Error(
      `[strategy] ${what} in ${nameOf(branch)}, which has ended. Use the branch's context only inside the function passed to branch(), and return what you need afterwards.`,
    )
}

const nameOf = ({ path }: Branch) => (path === '' ? 'the root branch' : `branch "${path}"`)

/** Stops the branch at a limit. Returns the error that rejects this effect and every later one. */
export function freeze(branch: Branch, error: LimitError): LimitError {
  branch.refused ??= { at: branch.clock, error }
  return branch.refused.error
}

/** Returns a name as it is written in paths of branches. */
export const branchName = (name: string) => name.replace(/[/#!]/g, '_')

/** Opens a child branch with the parent's clock and bill and a fork of its files. */
export function forkBranch(parent: Branch, name: string, signal: AbortSignal): Branch {
  const clean = branchName(name)
  const used = (parent.names.get(clean) ?? (parent.path === '' && reservedNames.has(clean) ? 1 : 0)) + 1
  parent.names.set(clean, used)
  const own = used === 1 ? clean : `${clean}~${used}`
  parent.lastAsk = undefined
  const { trialState, clock, iteration, lost, refusals } = parent
  return newBranch({
    path: parent.path === '' ? own : `${parent.path}/${own}`,
    // An open group is already counted.
    openedAt: [...parent.openedAt, parent.counter, parent.group ? parent.groups - 1 : parent.groups],
    bill: { ...parent.bill },
    state: forkState(parent.state),
    trialState,
    clock,
    iteration,
    lost,
    refusals,
    signal,
  })
}

/** Opens a child branch that is reported when its work stays unused. */
export function openBranch(above: Branch, name: string, signal: AbortSignal): Branch {
  const branch = forkBranch(above, name, signal)
  const { changed, answer } = above.state
  above.trialState.openedBranches.push({ branch, above, before: { changed, answer } })
  return branch
}

type BranchStart = Pick<
  Branch,
  | 'trialState'
  | 'path'
  | 'openedAt'
  | 'clock'
  | 'bill'
  | 'state'
  | 'iteration'
  | 'signal'
  | 'lost'
  | 'refusals'
>

/** Makes a branch that has done nothing yet. */
export const newBranch = (start: BranchStart): Branch => ({
  // No spread: V8 puts a copy of another object straight into the old generation, and with it all that the trial has held.
  trialState: start.trialState,
  path: start.path,
  openedAt: start.openedAt,
  clock: start.clock,
  bill: start.bill,
  state: start.state,
  iteration: start.iteration,
  signal: start.signal,
  lost: start.lost,
  refusals: start.refusals,
  counter: 0,
  notes: 0,
  busy: false,
  groups: 0,
  names: new Map(),
  ended: false,
})

/** Marks a branch and all open branches under it as losers of a `first`, so that work that catches its end writes no steps. */
export function markLost(branch: Branch): void {
  branch.lost = true
  for (const member of branch.group?.members ?? []) markLost(member.branch)
}

/** Whether an effect is pending in the branch or under it. */
export function isAtWork({ busy, group }: Branch): boolean {
  return busy || (group?.members.some(({ branch }) => isAtWork(branch)) ?? false)
}
