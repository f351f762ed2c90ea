import type { SkippedItems } from '../../schema/run/skipped-items.ts'

/** Says of each source of tasks how many of its items were left out. */
export const skippedTexts = (skipped: readonly SkippedItems[]): string[] =>
  skipped.map(
    ({ source, count }) =>
      `Left out by --skip-invalid: ${count} of the tasks of ${source}, which could not be read.`,
  )
