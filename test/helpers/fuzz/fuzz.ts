import { setImmediate as others } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { formatProblem, type Problem, UserError } from '../../../src/text/errors.ts'

/** What a reader made of its input: what it read, or the problems that it told. */
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

/** A refusal names the place and says what is wrong, as it is printed in a few words, that hold no stack. */
export function expectTold(problems: readonly Problem[], place: RegExp): void {
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

/** So many cases of one seed. */
export interface Fuzz {
  /** As the name of a test says it. */
  times: string
  /** Checks a law over all cases. */
  check<Parts extends [unknown, ...unknown[]]>(
    arbitraries: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
    law: (...parts: Parts) => void | Promise<void>,
  ): Promise<void>
}

/** A failing case of a long fuzz is told as it was found: to make it smaller would take as long again. */
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
