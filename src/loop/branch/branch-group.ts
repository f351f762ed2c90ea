import { addDifference } from '../budget/spending.ts'
import { countRefusal, maxRefusals } from './branch.ts'
import { joinShared } from './shared.ts'
import type { Branch, Group } from './trial-state.ts'

/**
 * Runs work in a branch. Branches that are open together form a group: all their promises resolve when the last branch has
 * ended, in the order of opening, so nothing after them depends on which was faster. The parent's clock then moves to the
 * slowest branch's, and its bill includes all of them.
 */
export function runBranch<T>(parent: Branch, branch: Branch, work: () => Promise<T>): Promise<T> {
  if (parent.busy)
    throw new Error(`[strategy] branch("${branch.path}") while an effect is pending. Await the effect first.`)
  if (!parent.group) {
    parent.group = openGroup()
    parent.groups++
  }
  const group = parent.group
  group.pending++
  const member = addMember(group, branch)
  const promise = new Promise<T>((resolve, reject) => {
    void runMember(group, branch, work).then((end) => {
      member.release = () => {
        if ('error' in end) reject(end.error)
        else if (member.conflict) reject(member.conflict)
        else resolve(end.value)
      }
      if (--group.pending === 0) join(parent, group)
    })
  })
  // A strategy may leave a failed branch unawaited; that must not crash the harness.
  promise.catch(() => {})
  return promise
}

/** Adds a branch that begins now to a group. */
export function addMember(group: Group, branch: Branch): Group['members'][number] {
  const member: Group['members'][number] = {
    branch,
    billAtStart: { ...branch.bill },
    sharedAtStart: branch.state.shared,
    release: () => {},
  }
  group.members.push(member)
  return member
}

/** What the work of a branch came to. */
export type MemberEnd<T> = { value: T } | { error: unknown }

/** Runs the work of a branch until it and all branches that it opened have ended, or until it is given up. */
export async function runMember<T>(
  group: Group,
  branch: Branch,
  work: () => Promise<T>,
): Promise<MemberEnd<T>> {
  const end = await new Promise<MemberEnd<T>>((resolve) => {
    branch.giveUp = (error) => {
      group.gaveUp ??= error
      resolve({ error })
    }
    // A strategy that throws before its first await must not leave the group open.
    Promise.resolve()
      .then(work)
      .then(
        (value) => resolve({ value }),
        (error: unknown) => resolve({ error }),
      )
  })
  // Branches that the work opened and did not await still belong to it.
  while (branch.group || branch.busy) {
    await branch.effect?.catch(() => {})
    await branch.group?.done
  }
  return end
}

/** Opens a group without members. */
export function openGroup(): Group {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { members: [], pending: 0, gaveUp: undefined, done, finish }
}

function join(parent: Branch, group: Group): void {
  mergeMembers(parent, group)
  for (const member of group.members) {
    const { branch, sharedAtStart } = member
    if (!branch.isRacing) member.conflict = joinShared(parent, branch, sharedAtStart)
  }
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

/** Ends the branches of a group: their parent takes the slowest one's clock, what all of them spent, and the first refusal on the clock. */
export function mergeMembers(parent: Branch, { members }: Group): void {
  for (const { branch, billAtStart } of members) {
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
