import type { ComparisonFacts } from '../facts.ts'

/** Says how the plans of the runs were changed; with the run, if there are two. */
export function amendedNotes({ runs }: ComparisonFacts): string[] {
  return runs.flatMap(({ run, amended }) =>
    amended === undefined ? [] : [runs.length > 1 ? `${run}: ${amended}` : amended],
  )
}
