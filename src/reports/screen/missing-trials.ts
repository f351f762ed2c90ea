import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { shorten } from '../../text/shorten.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted, present } from '../words/numbers.ts'

/** Maximum length of an error message on the screen, in characters. */
const longestWords = 90

/** Says which methods have missing trials and why; empty without any. It stands before the verdict, which they may bend. */
export function missingText(summary: Summary): string {
  const texts = summary.methods.flatMap((row) => {
    const missing = missingOf(row)
    if (missing === 0) return []
    const trials = `${missing} of ${counted(row.trials.run, 'trial')} of ${methodName(row, summary)}`
    return [`${trials} (${reasonsOf(row).join('; ')})`]
  })
  return texts.length === 0 ? '' : `${texts.join('; ')}.`
}

const missingOf = ({ trials }: MethodSummary): number => trials.error + trials.cancelled

function reasonsOf({ errors = [], trials: { error, cancelled } }: MethodSummary): string[] {
  const known = errors.filter(({ reason, first }) => reason !== 'other' || first !== '')
  const untold = error - known.reduce((sum, { trials }) => sum + trials, 0)
  const kinds = [untold > 0, cancelled > 0, ...known].filter(Boolean).length
  const count = (trials: number) => (kinds > 1 ? `${trials} ` : '')
  return present([
    ...known.map(({ reason, trials, first }) => {
      const name = reason === 'other' ? '' : first === '' ? reason : `${reason}: `
      return `${count(trials)}${name}${shorten(first, longestWords)}`
    }),
    untold > 0 && `${count(untold)}error`,
    cancelled > 0 && `${count(cancelled)}cancelled`,
  ])
}

/** A larger share of missing trials causes a warning. */
const tolerable = 0.05

/** Says how missing trials are run, where they are many or not the same number for each method. */
export function missingWarnings(summary: Summary, comparison: Comparison | null): string[] {
  const parts = summary.methods.flatMap((row) => {
    const missing = missingOf(row)
    return missing > 0 ? [{ row, missing, share: missing / row.trials.run }] : []
  })
  if (parts.length === 0) return []
  const counts = new Set(summary.methods.map(missingOf))
  if (parts.every(({ share }) => share <= tolerable) && counts.size === 1) return []
  const names = parts.map(({ row, missing }) => `${missing} of ${methodName(row, summary)}`)
  // A report is a look at the results, and trials after a look void tests for a fixed number of tasks.
  const voids = comparison !== null && comparison.silence === null && comparison.stop === null
  if (summary.imported)
    return [
      `trials are missing (${names.join(', ')}): they did not run here, so that they cannot be run again.`,
    ]
  if (summary.recorded)
    return [`trials are missing (${names.join(', ')}): running them again gives the same result.`]
  return [
    `trials are missing (${names.join(', ')}): bench run --resume RUN --retry-errors runs them${voids ? ', which voids the tests' : ' again'}.`,
  ]
}
