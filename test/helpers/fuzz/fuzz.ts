import { setImmediate as others } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { formatProblem, type Problem, UserError } from '../../../src/text/errors.ts'

/** The result of a reader: what it read, or the problems that it reported. */
export type Outcome<Read> = { read: Read } | { problems: readonly Problem[] }

/** Runs a reader. Anything but a `UserError` is a fault of ours and fails the test. */
export function outcomeOf<Read>(read: () => Read): Outcome<Read> {
  try {
    return { read: read() }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { problems: error.problems }
  }
}

/** Checks that problems name the place and the fact in a short text without a stack. */
export function expectProblems(problems: readonly Problem[], place: RegExp): void {
  expect(problems.length).toBeGreaterThan(0)
  // One assertion for all of them: there are thousands.
  expect(
    problems.filter(
      (problem) =>
        !place.test(problem.where) ||
        ourWords.test(problem.what) ||
        formatProblem(problem).length >= longestProblem,
    ),
  ).toEqual([])
}

const ourWords = /\n\s+at |\[object|undefined is not|Cannot read prop|Maximum call stack/
const longestProblem = 20_000

/** A number of cases from one seed. */
export interface Fuzz {
  /** The number and seed, as in the name of a test. */
  times: string
  /** Checks a law over all cases. */
  check<Parts extends [unknown, ...unknown[]]>(
    arbitraries: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
    law: (...parts: Parts) => void | Promise<void>,
  ): Promise<void>
}

/** Does not shrink a failing case of a long fuzz, which would take as long again. */
export function fuzzOf(runs: number, seed: number): Fuzz {
  const settings = { numRuns: runs, seed, endOnFailure: runs > 1000 }
  let done = 0
  return {
    times: `${runs} times, seed ${seed}`,
    check: (arbitraries, law) =>
      fc.assert(
        fc.asyncProperty(...arbitraries, async (...parts) => {
          await law(...parts)
          // A worker that is silent for a minute is given up by the test runner.
          if (++done % 50 === 0) await others()
        }),
        settings,
      ),
  }
}
