import type { StrategyContext, Workspace } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'

/** The result of one attempt, with the score by which attempts are compared. */
export interface Attempt<T> {
  score: number
  value: T
}

/** The results of work side by side. */
export interface SideBySide<T> {
  /** Work whose agents replied, in the order of the names. */
  ended: { value: T; workspace: Workspace }[]
  /** The errors of the others, in the same order. */
  failures: AgentError[]
}

/**
 * Runs the same work once per name, side by side, each in its own branch with its own files. Work that throws `AgentError` is
 * left out; any other error is thrown. `work` gets the branch's context, its place among the names, and its name. The files of no branch are adopted: pass the `workspace` of the one you choose to
 * `workspace.adopt`.
 */
export async function sideBySide<Role extends string, Options, T, const Name extends string>(
  context: StrategyContext<Role, Options>,
  names: readonly Name[],
  work: (branch: StrategyContext<Role, Options>, place: number, name: Name) => Promise<T>,
): Promise<SideBySide<T>> {
  const all = await Promise.all(
    names.map((name, place) =>
      context.branch(name, async (branch) => {
        try {
          return { value: await work(branch, place, name), workspace: branch.workspace }
        } catch (failure) {
          if (failure instanceof AgentError) return failure
          throw failure
        }
      }),
    ),
  )
  return {
    ended: all.flatMap((one) => (one instanceof AgentError ? [] : [one])),
    failures: all.filter((one) => one instanceof AgentError),
  }
}

/**
 * Makes `count` attempts side by side, each in a branch named `<name>-<n>` with its own files. Adopts the files of the attempt
 * with the highest score, the first by name among equals, and returns its value. An attempt that throws `AgentError` is left
 * out; if all do, the first error is thrown.
 */
export async function bestAttempt<Role extends string, Options, T>(
  context: StrategyContext<Role, Options>,
  name: string,
  count: number,
  attempt: (branch: StrategyContext<Role, Options>) => Promise<Attempt<T>>,
): Promise<T> {
  const names = Array.from({ length: count }, (_, i) => `${name}-${i + 1}`).toSorted()
  const { ended, failures } = await sideBySide(context, names, attempt)
  for (const { value } of ended)
    if (typeof value?.score !== 'number')
      throw new Error('bestAttempt(): each attempt must return { score, value } with a number as score')
  const [first, ...others] = ended
  if (!first) throw failures[0]
  const best = others.reduce((best, one) => (one.value.score > best.value.score ? one : best), first)
  context.workspace.adopt(best.workspace)
  return best.value.value
}
