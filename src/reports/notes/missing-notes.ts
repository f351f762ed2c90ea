import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { formatSigned } from '../words/numbers.ts'

/** A larger share of missing trials causes a warning. */
const tolerable = 0.05

/**
 * Returns warnings if more than 5 percent of a method's trials are missing, or if methods differ in their share. `compared`: a
 * comparison says what the missing trials could change.
 */
export function missingNotes(summary: Summary, { compared }: { compared: boolean }): string[] {
  const shares = summary.methods.map((row) => ({ row, share: missingShare(row) }))
  const many = shares.filter(({ share }) => share > tolerable)
  const uneven = new Set(shares.map(({ share }) => share.toFixed(6))).size > 1
  if (many.length === 0 && !uneven) return []
  const list = shares
    .map(({ row, share }) => `${methodName(row, summary)} ${(100 * share).toFixed(1)}%`)
    .join(', ')
  const why = [
    ...(many.length > 0 ? ['more than 5% of the trials of a method are missing'] : []),
    ...(uneven ? ['the share of missing trials differs between methods'] : []),
  ].join(', and ')
  return [
    `Warning: ${why} (error or cancelled: ${list}). Missing trials may be harder than others; bench run --resume RUN --retry-errors runs the trials in error again.`,
    ...(compared ? [] : summary.methods.flatMap((row) => boundsNote(row, summary))),
  ]
}

/** Returns the share of missing trials among those that were run. */
function missingShare({ trials }: MethodSummary): number {
  return trials.run === 0 ? 0 : (trials.error + trials.cancelled) / trials.run
}

function boundsNote(row: MethodSummary, summary: Summary): string[] {
  const bounds = row.againstBaseline?.success.bounds
  if (!bounds) return []
  const sign = bounds.low <= 0 && bounds.high >= 0 ? ', so even its sign is unknown' : ''
  return [
    `${methodName(row, summary)}: with the missing trials the difference in success may be anything from ${formatSigned(bounds.low)} to ${formatSigned(bounds.high)} points${sign}.`,
  ]
}
