import { lockRunFolder } from '../../loop/record/lock.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { UserError } from '../../text/errors.ts'
import { type JudgedRun, judgeRun, type PruneRule } from './judge-run.ts'

/** What became of a run that was to be removed. */
export interface PrunedRun {
  folder: string
  /** Why it is still there; undefined: it is removed. */
  kept: string | undefined
}

/**
 * Removes runs, each under its lock, so that nobody resumes it meanwhile, and only if it may still be removed. Never follows a
 * link.
 */
export async function removeRuns(runs: readonly JudgedRun[], rule: PruneRule): Promise<PrunedRun[]> {
  const pruned: PrunedRun[] = []
  for (const { folder } of runs) pruned.push({ folder, kept: await removeRun(folder, rule) })
  return pruned
}

async function removeRun(folder: string, rule: PruneRule): Promise<string | undefined> {
  try {
    const lock = lockRunFolder(folder)
    try {
      const { kept } = await judgeRun(folder, rule)
      if (kept !== undefined) return kept
      lock.assertHeld()
      return removeTree(folder) ? undefined : 'could not be removed whole; see its permissions'
    } finally {
      lock.release()
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map(({ what }) => what).join('; ')
  }
}
