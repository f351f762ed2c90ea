import { clashingOutput, outputKey, outputPathOf, type Shared, type SharedPart } from '../files/shared.ts'

/** The parts of a branch that have to do with what it shares. */
export interface Sharing {
  path: string
  state: { shared: Shared }
  /** Called when what it shares has changed. */
  onShared?: () => void
}

/**
 * Adds what a branch that has ended hands on to its parent. `start` is what the branch began with. Returns an error if a branch
 * that was open beside it, and opened before it, wrote the same; that one's stays. It is found here, not where the second branch
 * writes, since which of the two is second would depend on real time.
 */
export function joinShared(parent: Sharing, child: Sharing, start: Shared): Error | undefined {
  const own = child.state.shared
  if (own === start) return undefined
  const joined = new Map(parent.state.shared)
  let conflict: Error | undefined
  for (const [key, part] of own) {
    if (start.get(key) === part) continue
    const taken = takenBy(joined, key, start)
    if (taken) conflict ??= conflictOf(taken, { key, part })
    else joined.set(key, part)
  }
  parent.state.shared = joined
  parent.onShared?.()
  return conflict
}

interface Written {
  key: string
  part: SharedPart
}

/** Returns what another branch has joined in place of this part. */
function takenBy(joined: Shared, key: string, start: Shared): Written | undefined {
  const part = joined.get(key)
  if (part) return part === start.get(key) ? undefined : { key, part }
  const path = outputPathOf(key)
  const clash = path === undefined ? undefined : clashingOutput(joined, path)
  const other = clash === undefined ? undefined : joined.get(outputKey(clash))
  return clash !== undefined && other ? { key: outputKey(clash), part: other } : undefined
}

function conflictOf(theirs: Written, ours: Written): Error {
  const path = outputPathOf(ours.key)
  const both = `[strategy] the branches "${theirs.part.by}" and "${ours.part.by}" were open together, and both`
  if (path === undefined)
    return new Error(
      `${both} continued the ${ours.key}. Only one open branch may continue a conversation of the trial: let one follow the other, or give each its own session.`,
    )
  const remedy = 'Give each branch its own path.'
  if (theirs.key === ours.key) return new Error(`${both} wrote the output ${path}. ${remedy}`)
  const other = outputPathOf(theirs.key)
  return new Error(`${both} wrote outputs that cannot stand side by side: ${other} and ${path}. ${remedy}`)
}
