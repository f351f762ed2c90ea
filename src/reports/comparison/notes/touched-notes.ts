import type { Comparison } from '../../../analysis/compare/comparison.ts'
import { counted } from '../../words/numbers.ts'

/** Returns notes on the rows with trials in which people took part. */
export function touchedNotes({ touched = [] }: Comparison): string[] {
  return touched.map(
    ({ label, trials }) =>
      `${label}: people took part in ${counted(trials, 'trial')}, so its results are not the method's alone.`,
  )
}
