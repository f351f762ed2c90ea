import { AgentError } from '../errors.ts'
import type { StrategyContext } from '../strategy.ts'

/** What one attempt came to. */
export interface Attempt<T> {
  score: number
  value: T
}

/**
 * Makes `count` attempts side by side, each in a branch named `<name>-<n>` with its own files, and takes over files and
 * value of the one with the highest score; ties go to the first by name. An attempt whose agent fails is out of the
 * running; if all fail, the first failure is thrown.
 */
export async function bestAttempt<Role extends string, Options, T>(
  context: StrategyContext<Role, Options>,
  name: string,
  count: number,
  attempt: (branch: StrategyContext<Role, Options>) => Promise<Attempt<T>>,
): Promise<T> {
  const branches = Array.from({ length: count }, (_, i) => `${name}-${i + 1}`).toSorted()
  const tried = await Promise.all(
    branches.map((name) =>
      context.branch(name, async (branch) => {
        try {
          return { attempt: await attempt(branch), workspace: branch.workspace, failure: undefined }
        } catch (failure) {
          if (failure instanceof AgentError)
            return { attempt: undefined, workspace: branch.workspace, failure }
          throw failure
        }
      }),
    ),
  )
  const ended = tried.filter((one) => one.attempt !== undefined)
  if (ended.length === 0) throw tried[0]?.failure
  const best = ended.reduce((best, one) => (one.attempt.score > best.attempt.score ? one : best))
  context.workspace.adopt(best.workspace)
  return best.attempt.value
}
