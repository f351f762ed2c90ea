import { setImmediate } from 'node:timers/promises'
import type { Task } from '../../schema/task.ts'
import type { LimitError } from '../../text/errors.ts'
import { type Bill, emptyBill } from '../budget/spending.ts'
import { createState, forkState, type State } from '../files/workspace.ts'

/**
 * One line of work inside a trial. Its key space, clock and bill are its own: what it does is named by its path and a
 * counter, so that parallel branches get the same names whatever their timing.
 */
export interface Branch {
  /** Empty for the root. */
  path: string
  /** Where it was opened: what its parent had counted of effects and of groups then, below the same of its parent. */
  openedAt: readonly number[]
  counter: number
  notes: number
  /** Milliseconds since the trial began, moved by this branch's steps alone. */
  clock: number
  /** The trial's joined bill when this branch was opened, and its own since. */
  bill: Bill
  state: State
  iteration?: Record<string, number | string> | undefined
  /** The ask that was answered last, unless branches were opened since; see `noteCandidate`. */
  lastAsk?: { key: string; role: string } | undefined
  /** An effect is under way. */
  busy: boolean
  /** The last effect, for those who must wait for it though the strategy does not. */
  effect?: Promise<unknown>
  group?: Group | undefined
  /** Groups of branches that were opened under this one. */
  groups: number
  /** How often each name was used for a branch under this one. */
  names: Map<string, number>
  /** Aborted when another branch of a `first` has won, or with the run. */
  signal: AbortSignal
  /** It lost a `first`: what the journal holds still happens, nothing new does. */
  lost: boolean
  /** It has been joined. */
  ended: boolean
  /** A limit of the trial has refused it an effect or cut one off, or a branch under it: it does nothing more. */
  refused?: Refusal
  /** How often its work was told that it may do no more, and went on; before it was opened that of its parent. */
  refusals: number
  /** Ends its work from outside; see `tell`. */
  giveUp?: (error: Error) => void
}

/** What a limit of the trial said, and where the branch's clock stood then. */
interface Refusal {
  at: number
  error: LimitError
}

/** Branches that are open together. */
export interface Group {
  members: { branch: Branch; release(): void }[]
  pending: number
  billAtStart: Bill
  /** Why one of them was ended from outside, if one was. */
  gaveUp: Error | undefined
  done: Promise<void>
  finish(): void
}

/** What a branch has made: its files and its answer. */
export type BranchWork = Pick<State, 'changed' | 'answer'>

/** A branch that the method opened, with what the branch above it had made by then. */
export interface OpenedBranch {
  branch: Branch
  above: Branch
  before: BranchWork
}

/** So often a branch's work is told that it may do no more. */
export const maxRefusals = 20

/** Where grades and matched budgets stand in the journal: a branch of such a name would share their keys. */
const reservedNames: ReadonlySet<string> = new Set(['grade', 'match'])

/**
 * Counts that a branch's work was told of a "no more"; false once it has heard it too often and was given up. By branch,
 * so that what becomes of it does not depend on what others do at the same time.
 */
export function countRefusal(branch: Branch, error: Error): boolean {
  if (++branch.refusals <= maxRefusals) return true
  branch.giveUp?.(error)
  return false
}

/** Names the next effect of a branch. Throws when one is pending. */
export function nextKey(branch: Branch, what: string): string {
  requireIdle(branch, what)
  return `${branch.path}#${branch.counter++}`
}

/**
 * Runs the next effect of a branch under its key. It is pending until the event loop has turned, however short it was: another
 * one beside it is refused each time, and an interrupt is heard between two of them.
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

/** Throws when something is under way in the branch: which would come first were a matter of time. */
export function requireIdle(branch: Branch, what: string): void {
  requireOpen(branch, what)
  const { busy, group } = branch
  if (busy || group)
    throw new Error(
      `[strategy] ${what} in ${nameOf(branch)} while ${busy ? 'another effect' : 'a branch under it'} is pending. Open one branch() for each thing that runs beside others, and await them together.`,
    )
}

/** Throws when the branch has been joined: what is done in it after that would stand on no bill. */
export function requireOpen(branch: Branch, what: string): void {
  if (branch.ended)
    throw new Error(
      `[strategy] ${what} in ${nameOf(branch)}, which has ended. Do it inside of the work that was given to branch(), and return what is needed after it.`,
    )
}

const nameOf = ({ path }: Branch) => (path === '' ? 'the root branch' : `branch "${path}"`)

/** The branch does nothing more from here on; gives the error that it is told now and whenever it tries. */
export function freeze(branch: Branch, error: LimitError): LimitError {
  branch.refused ??= { at: branch.clock, error }
  return branch.refused.error
}

/** The branch that a trial's method begins in. */
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

/** Opens a branch under another: same clock, same bill so far, a fork of its files. */
export function forkBranch(parent: Branch, name: string, signal: AbortSignal): Branch {
  const clean = name.replace(/[/#!]/g, '_')
  const used = (parent.names.get(clean) ?? (parent.path === '' && reservedNames.has(clean) ? 1 : 0)) + 1
  parent.names.set(clean, used)
  const own = used === 1 ? clean : `${clean}~${used}`
  parent.lastAsk = undefined
  const { clock, iteration, lost, refusals } = parent
  return newBranch({
    path: parent.path === '' ? own : `${parent.path}/${own}`,
    // A group that is open already has been counted.
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

function newBranch(begun: BranchStart): Branch {
  return {
    path: begun.path,
    openedAt: begun.openedAt,
    counter: 0,
    notes: 0,
    clock: begun.clock,
    bill: begun.bill,
    state: begun.state,
    iteration: begun.iteration,
    busy: false,
    groups: 0,
    names: new Map(),
    signal: begun.signal,
    lost: begun.lost,
    ended: false,
    refusals: begun.refusals,
  }
}

/** The branch lost a `first`, and all that are open under it: one that catches its end would go on journaling else. */
export function markLost(branch: Branch): void {
  branch.lost = true
  for (const member of branch.group?.members ?? []) markLost(member.branch)
}

/** Whether an effect is under way in the branch or under it. */
export function isAtWork({ busy, group }: Branch): boolean {
  return busy || (group?.members.some(({ branch }) => isAtWork(branch)) ?? false)
}
