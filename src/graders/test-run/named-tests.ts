import type { TestJob, TestResult, TestRun } from './test-job.ts'

/** Whether a task names its tests, by path and name, or begins to find them. */
export const namesTests = ({ spec }: Pick<TestJob, 'spec'>): boolean =>
  'failToPass' in spec && spec.failToPass !== undefined

/** What is kept of the output of a run of named tests, which may be many, in bytes: 32 MiB. */
export const namedOutputBytes = 32 * 1024 ** 2

/** The tests that a task names: those that its solution makes pass, and those that must go on to pass. */
export const namedTests = ({ spec }: Pick<TestJob, 'spec'>): readonly string[] =>
  'failToPass' in spec || 'passToPass' in spec ? [...(spec.failToPass ?? []), ...(spec.passToPass ?? [])] : []

/**
 * Returns the results of the tests that a task names, of all that ran. One that did not run says what is `broken`, or has the message of its
 * file, if that could not be loaded.
 * A name that occurs twice passes if it passes each time.
 */
export function onlyNamed(
  wanted: readonly string[],
  results: ReadonlyMap<string, TestResult>,
  broken?: string,
): TestRun {
  return {
    results: wanted.map(
      (name) =>
        results.get(name) ?? {
          name,
          ok: false,
          message: broken ?? results.get(fileOf(name))?.message ?? 'did not run',
        },
    ),
    ran: wanted.filter((name) => results.has(name)).length,
  }
}

/** Tests for Node are named by their file and their name in it. */
const fileOf = (name: string) => name.split(' > ')[0] as string

/** Returns results by name; of two of one name, the first that failed. */
export function byName(results: readonly TestResult[]): Map<string, TestResult> {
  const named = new Map<string, TestResult>()
  for (const result of results) if (named.get(result.name)?.ok !== false) named.set(result.name, result)
  return named
}
