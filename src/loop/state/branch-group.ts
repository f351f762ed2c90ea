import { addDifference } from '../budget/spending.ts'
import { type Branch, countRefusal, type Group, maxRefusals } from './branch.ts'

/**
 * Runs work in a branch. Branches that are open together form a group: all their promises resolve when the last branch has
 * ended, in the order of opening, so nothing after them depends on which was faster. The parent's clock then moves to the
 * slowest branch's, and its bill includes all of them.
 */
export function runBranch<T>(parent: Branch, branch: Branch, work: () => Promise<T>): Promise<T> {
  if (parent.busy)
    throw new Error(`[strategy] branch("${branch.path}") while an effect is pending. Await the effect first.`)
  if (!parent.group) {
    parent.group = openGroup(parent)
    parent.groups++
  }
  const group = parent.group
  group.pending++
  const promise = new Promise<T>((resolve, reject) => {
    const member = { branch, release: () => {} }
    group.members.push(member)
    let hasEnded = false
    const end = async (release: () => void) => {
      if (hasEnded) return
      hasEnded = true
      // Branches that the work opened and did not await still belong to it.
      while (branch.group || branch.busy) {
        await branch.effect?.catch(() => {})
        await branch.group?.done
      }
      member.release = release
      if (--group.pending === 0) join(parent, group)
    }
    branch.giveUp = (error) => {
      group.gaveUp ??= error
      void end(() => reject(error))
    }
    // A strategy that throws before its first await must not leave the group open.
    Promise.resolve()
      .then(work)
      .then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      )
  })
  // A strategy may leave a failed branch unawaited; that must not crash the harness.
  promise.catch(() => {})
  return promise
}

function openGroup(parent: Branch): Group {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { members: [], pending: 0, billAtStart: { ...parent.bill }, gaveUp: undefined, done, finish }
}

function join(parent: Branch, group: Group): void {
  mergeMembers(parent, group)
  parent.group = undefined
  // A parent inherits its children's refusal count; else opening a new branch per refusal would loop for ever.
  for (const { branch } of group.members)
    if (!branch.lost && branch.refusals <= maxRefusals)
      parent.refusals = Math.max(parent.refusals, branch.refusals)
  group.finish()
  // A parent that keeps opening branches in place of abandoned ones must end as well.
  if (group.gaveUp && !countRefusal(parent, group.gaveUp)) return
  for (const { release } of group.members) release()
}

function mergeMembers(parent: Branch, { members, billAtStart }: Group): void {
  for (const { branch } of members) {
    addDifference(parent.bill, branch.bill, billAtStart)
    parent.clock = Math.max(parent.clock, branch.clock)
    branch.ended = true
    const { refused } = branch
    if (refused && !(parent.refused && parent.refused.at <= refused.at)) parent.refused = refused
  }
}

/** Adds what unfinished branches have used so far to the bill and the clock of their parents. */
export function joinUnfinished(branch: Branch): void {
  const { group } = branch
  if (!group) return
  for (const member of group.members) joinUnfinished(member.branch)
  mergeMembers(branch, group)
  branch.group = undefined
}
