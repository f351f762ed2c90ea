import { type Problem, UserError } from '../errors.ts'

/** What `read` gives, or `fallback` where it throws `UserError`: its problems are added then. */
export async function attempt<Read, Fallback>(
  problems: Problem[],
  read: () => Read | Promise<Read>,
  fallback: Fallback,
): Promise<Read | Fallback> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
    return fallback
  }
}
