import { setImmediate } from 'node:timers/promises'
import type { Task } from '../../schema/task.ts'
import type { AgentError, LimitError } from '../../text/errors.ts'
import { type Bill, emptyBill } from '../budget/spending.ts'
import type { Shared } from './shared.ts'
import { createState, forkState, type State } from './workspace.ts'

/**
 * One line of work inside a trial, with its own key space, clock and bill. Its effects are named by its path and a
 * counter, so parallel branches get the same names whatever their timing.
 */
export interface Branch {
  /** Empty for the root. */
  path: string
  /** Where it was opened: the parent's own place, then the parent's counts of effects and of groups at that moment. */
  openedAt: readonly number[]
  counter: number
  notes: number
  /** Milliseconds since the trial began. Only this branch's steps move it. */
  clock: number
  /** The parent's bill when this branch was opened, plus its own spending since. */
  bill: Bill
  state: State
  iteration?: Record<string, number | string> | undefined
  /** The last answered ask; undefined when branches were opened since. See `noteCandidate`. */
  lastAsk?: { key: string; role: string } | undefined
  /** The stage whose asks it holds: its id, and its place among the effects of its parent. */
  stage?: { id: string; at: number; failedAsk?: AgentError }
  /** Whether an effect is pending. */
  busy: boolean
  /** The last effect. The trial waits for it even when the strategy does not. */
  effect?: Promise<unknown>
  group?: Group | undefined
  /** Number of groups opened under this branch. */
  groups: number
  /** How often each name was used for a child branch. */
  names: Map<string, number>
  /** Aborts with the run, or when another branch of a `first` has won. */
  signal: AbortSignal
  /** Whether it lost a `first`: recorded effects are still replayed, new ones are not begun. */
  lost: boolean
  /** Whether it has been joined. */
  ended: boolean
  /** It is in a `first`, which alone joins what it shares, if it wins. */
  isRacing?: true
  /** Called when what it shares has changed. Set for the root only. */
  onShared?: () => void
  /** Whether the method has put other files in the place of its own. */
  hasAdopted?: true
  /** Set when a limit of the trial refused or cut off an effect in this branch or below it: it does nothing more. */
  refused?: Refusal
  /** How many refusals its work has ignored; starts at the parent's count. */
  refusals: number
  /** Ends its work from outside; see `rejectEffect`. */
  giveUp?: (error: Error) => void
}

/** The error of a trial's limit, and the branch's clock at that moment. */
interface Refusal {
  at: number
  error: LimitError
}

/** Branches that are open together. */
export interface Group {
  /** `billAtStart` and `sharedAtStart` are what the branch began with. */
  members: {
    branch: Branch
    billAtStart: Bill
    sharedAtStart: Shared
    /** It wrote the same as a branch beside it. */
    conflict?: Error | undefined
    release(): void
  }[]
  pending: number
  /** The error of a member that was ended from outside, if any. */
  gaveUp: Error | undefined
  done: Promise<void>
  finish(): void
}

/** What a branch has produced: its files and its answer. */
export type BranchWork = Pick<State, 'changed' | 'answer'>

/** A branch that the method opened, its parent, and what the parent had produced by then. */
export interface OpenedBranch {
  branch: Branch
  above: Branch
  before: BranchWork
}

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

/** Creates the branch that a trial's method starts in. */
export function rootBranch(task: Task, signal: AbortSignal): Branch {
  return newBranch({
    path: '',
    openedAt: [],
    clock: 0,
    bill: emptyBill(),
    state: createState(task.files),
    signal,
    lost: false,
    refusals: 0,
  })
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
  const { clock, iteration, lost, refusals } = parent
  return newBranch({
    path: parent.path === '' ? own : `${parent.path}/${own}`,
    // An open group is already counted.
    openedAt: [...parent.openedAt, parent.counter, parent.group ? parent.groups - 1 : parent.groups],
    bill: { ...parent.bill },
    state: forkState(parent.state),
    ...{ clock, iteration, lost, refusals, signal },
  })
}

type BranchStart = Pick<
  Branch,
  'path' | 'openedAt' | 'clock' | 'bill' | 'state' | 'iteration' | 'signal' | 'lost' | 'refusals'
>

function newBranch(start: BranchStart): Branch {
  return {
    path: start.path,
    openedAt: start.openedAt,
    counter: 0,
    notes: 0,
    clock: start.clock,
    bill: start.bill,
    state: start.state,
    iteration: start.iteration,
    busy: false,
    groups: 0,
    names: new Map(),
    signal: start.signal,
    lost: start.lost,
    ended: false,
    refusals: start.refusals,
  }
}

/** Marks a branch and all open branches under it as losers of a `first`, so that work that catches its end writes no steps. */
export function markLost(branch: Branch): void {
  branch.lost = true
  for (const member of branch.group?.members ?? []) markLost(member.branch)
}

/** Whether an effect is pending in the branch or under it. */
export function isAtWork({ busy, group }: Branch): boolean {
  return busy || (group?.members.some(({ branch }) => isAtWork(branch)) ?? false)
}
