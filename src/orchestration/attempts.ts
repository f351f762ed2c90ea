import type { StrategyContext, Workspace } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'

/** What one attempt came to. */
interface Attempt<T> {
  score: number
  value: T
}

/** What came of work side by side. */
interface SideBySide<T> {
  /** In the order of the names. */
  ended: { value: T; workspace: Workspace }[]
  /** Of the others, whose agents failed. */
  failures: AgentError[]
}

/**
 * Does work side by side, each in a branch of its own with its own files. Work whose agent fails is out: nothing of it is
 * handed on.
 */
export async function sideBySide<Role extends string, Options, T>(
  context: StrategyContext<Role, Options>,
  names: readonly string[],
  work: (branch: StrategyContext<Role, Options>, place: number) => Promise<T>,
): Promise<SideBySide<T>> {
  const tried = await Promise.all(
    names.map((name, place) =>
      context.branch(name, async (branch) => {
        try {
          return { value: await work(branch, place), workspace: branch.workspace }
        } catch (failure) {
          if (failure instanceof AgentError) return failure
          throw failure
        }
      }),
    ),
  )
  return {
    ended: tried.flatMap((one) => (one instanceof AgentError ? [] : [one])),
    failures: tried.filter((one) => one instanceof AgentError),
  }
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
  const names = Array.from({ length: count }, (_, i) => `${name}-${i + 1}`).toSorted()
  const { ended, failures } = await sideBySide(context, names, attempt)
  const [first, ...others] = ended
  if (!first) throw failures[0]
  const best = others.reduce((best, one) => (one.value.score > best.value.score ? one : best), first)
  context.workspace.adopt(best.workspace)
  return best.value.value
}
