import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { formatSigned } from '../words/numbers.ts'

/** Share of missing trials above which a method's numbers carry a warning. */
const tolerable = 0.05

/** Warnings where more than 5 percent of a method's trials are missing, or not as many of each method. */
export function missingNotes(summary: Summary): string[] {
  const shares = summary.methods.map((row) => ({ row, share: missingShare(row) }))
  const many = shares.filter(({ share }) => share > tolerable)
  const uneven = new Set(shares.map(({ share }) => share.toFixed(6))).size > 1
  if (many.length === 0 && !uneven) return []
  const list = shares
    .map(({ row, share }) => `${methodName(row, summary)} ${(100 * share).toFixed(1)}%`)
    .join(', ')
  const why = [
    ...(many.length > 0 ? ['more than 5% of the trials of a method are missing'] : []),
    ...(uneven ? ['not as many are missing of each method'] : []),
  ].join(', and ')
  return [
    `Warning: ${why} (error or cancelled: ${list}). What is missing may have been hard; bench run --resume RUN --retry-errors runs the trials in error again.`,
    ...summary.methods.flatMap((row) => boundsNote(row, summary)),
  ]
}

/** Missing of those that were run. */
function missingShare({ trials }: MethodSummary): number {
  return trials.run === 0 ? 0 : (trials.error + trials.cancelled) / trials.run
}

function boundsNote(row: MethodSummary, summary: Summary): string[] {
  const bounds = row.againstBaseline?.success.bounds
  if (!bounds) return []
  const sign = bounds.low <= 0 && bounds.high >= 0 ? ', so that even its sign is open' : ''
  return [
    `${methodName(row, summary)}: with the missing trials the difference of success may be anything from ${formatSigned(bounds.low)} to ${formatSigned(bounds.high)} points${sign}.`,
  ]
}
