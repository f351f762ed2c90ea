import { addDifference, type Bill } from './spending.ts'
import { forkState, type State } from './workspace.ts'

/**
 * One line of work inside a trial. Its key space, clock and bill are its own: what it does is named by its path and a
 * counter, so that parallel branches get the same names whatever their timing.
 */
export interface Branch {
  /** Empty for the root. */
  path: string
  counter: number
  notes: number
  /** Milliseconds since the trial began, moved by this branch's steps alone. */
  clock: number
  /** The trial's joined bill when this branch was opened, and its own since. */
  bill: Bill
  state: State
  iteration: Record<string, number | string> | undefined
  /** An effect is under way. */
  busy: boolean
  /** The last effect, for those who must wait for it though the strategy does not. */
  effect: Promise<unknown> | undefined
  group: Group | undefined
  /** How often each name was used for a branch under this one. */
  names: Map<string, number> | undefined
  /** Aborted when another branch of a `first` has won, or with the run. */
  signal: AbortSignal
  /** It lost a `first`: what the journal holds still happens, nothing new does. */
  lost: boolean
}

interface Group {
  members: { branch: Branch; settle(): void }[]
  pending: number
  billAtStart: Bill
  done: Promise<void>
  finish(): void
}

/** Names the next effect of a branch, and marks it as pending. Throws when one is pending already. */
export function beginEffect(branch: Branch, what: string): string {
  if (branch.busy || branch.group) {
    const where = branch.path === '' ? 'the root branch' : `branch "${branch.path}"`
    throw new Error(
      `[strategy] ${what} in ${where} while ${branch.busy ? 'another effect' : 'a branch under it'} is pending. Open one branch() for each thing that runs beside others, and await them together.`,
    )
  }
  branch.busy = true
  return `${branch.path}#${branch.counter++}`
}

/** Opens a branch under another: same clock, same bill so far, a fork of its files. */
export function forkBranch(parent: Branch, name: string, signal: AbortSignal): Branch {
  const clean = name.replace(/[/#!]/g, '_')
  parent.names ??= new Map()
  const used = (parent.names.get(clean) ?? 0) + 1
  parent.names.set(clean, used)
  const own = used === 1 ? clean : `${clean}~${used}`
  return {
    path: parent.path === '' ? own : `${parent.path}/${own}`,
    counter: 0,
    notes: 0,
    clock: parent.clock,
    bill: { ...parent.bill },
    state: forkState(parent.state),
    iteration: parent.iteration,
    busy: false,
    effect: undefined,
    group: undefined,
    names: undefined,
    signal,
    lost: parent.lost,
  }
}

/**
 * Runs work in a branch. Branches that are open together form a group: all their promises settle when the last has
 * ended, in the order of opening, so that nothing after them depends on which was faster. The clock is then the
 * slowest one's, the bill holds them all.
 */
export function runBranch<T>(parent: Branch, branch: Branch, work: () => Promise<T>): Promise<T> {
  if (parent.busy)
    throw new Error(`[strategy] branch("${branch.path}") while an effect is pending. Await the effect first.`)
  parent.group ??= openGroup(parent)
  const group = parent.group
  group.pending++
  const promise = new Promise<T>((resolve, reject) => {
    const member = { branch, settle: () => {} }
    group.members.push(member)
    const end = async (settle: () => void) => {
      // Branches that the work opened and never awaited still belong to it.
      while (branch.group || branch.busy) {
        await branch.effect?.catch(() => {})
        await branch.group?.done
      }
      member.settle = settle
      if (--group.pending === 0) join(parent, group)
    }
    // A strategy that throws before its first await must not leave the group open.
    Promise.resolve()
      .then(work)
      .then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      )
  })
  // An unawaited failure is the strategy's choice, not a crash of the harness.
  promise.catch(() => {})
  return promise
}

function openGroup(parent: Branch): Group {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { members: [], pending: 0, billAtStart: { ...parent.bill }, done, finish }
}

function join(parent: Branch, group: Group): void {
  for (const { branch } of group.members) {
    addDifference(parent.bill, branch.bill, group.billAtStart)
    parent.clock = Math.max(parent.clock, branch.clock)
  }
  parent.group = undefined
  group.finish()
  for (const { settle } of group.members) settle()
}
