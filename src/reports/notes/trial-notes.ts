import { mean } from 'simple-statistics'
import { boundName } from '../../analysis/method-row.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { capitalised, counted, formatSigned, present } from '../words/numbers.ts'

/** Returns one note per text with the names of its methods, or "Each method" if it applies to all. */
export function groupByText(
  summary: Summary,
  describe: (row: MethodSummary) => string | false | null | undefined,
): string[] {
  const groups = new Map<string, string[]>()
  for (const row of summary.methods) {
    const text = describe(row)
    if (text) groups.set(text, [...(groups.get(text) ?? []), methodName(row, summary)])
  }
  return [...groups].map(([text, names]) => {
    if (names.length < summary.methods.length) return `${names.join(', ')}: ${text}.`
    return names.length > 1 ? `Each method: ${text}.` : `${capitalised(text)}.`
  })
}

/** Returns a note for each method of which `describe` has something to say, after its name. */
export const noteEach = (
  summary: Summary,
  describe: (row: MethodSummary) => string | false | null | undefined,
  nameOf: (row: MethodSummary, summary: Summary) => string = methodName,
): string[] =>
  summary.methods.flatMap((row) => {
    const text = describe(row)
    return text ? [`${nameOf(row, summary)}: ${text}`] : []
  })

/**
 * Returns notes on trials that are missing, were not run, or count in a special way; none where all were graded. `settled`: a
 * stop rule ended the run as planned.
 */
export function trialNotes(summary: Summary, { settled }: { settled: boolean }): string[] {
  const notes = groupByText(summary, (row) => describeTrials(row, settled))
  if (summary.absent.length > 0) notes.push(`No trial yet: ${summary.absent.join(', ')}.`)
  return notes
}

function describeTrials({ epochs, trials, outcomes }: MethodSummary, settled: boolean): string {
  const notRun = trials.notRun ?? 0
  const list = (parts: readonly (readonly [number, string])[]) =>
    parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
  const missing = list([
    [settled ? 0 : notRun, 'not run'],
    [trials.error, 'ended in error'],
    [trials.cancelled, 'cancelled'],
  ])
  const others = present([
    epochs.min !== epochs.max && `${epochs.min} to ${epochs.max} epochs`,
    missing.length > 0 && `missing: ${missing.join(', ')}`,
    ...list([
      [settled ? notRun : 0, 'not run, because the stop rule ended the run as planned'],
      [trials.ungraded, 'ungraded'],
      [outcomes.limited, 'cut off by a limit of the trial, with its iterations and time'],
      [outcomes.failed, 'failed: the method broke, or did not handle an unusable reply'],
    ]),
  ])
  if (others.length === 0) return ''
  const planned = trials.planned === null ? '' : ` of ${trials.planned} planned`
  return [`${trials.run}${planned} trials run`, ...others].join('; ')
}

/** Returns notes on the spend of controls relative to the methods that they match. */
export function matchNotes({ methods }: Summary): string[] {
  return methods.flatMap(({ method, match }) => {
    if (!match) return []
    const { ratio, isMatched, nTasks, unit, method: other } = match
    if (ratio === null)
      return [`${method}: its spend relative to ${other} is unknown, so it counts as not matched.`]
    const word = isMatched ? 'matched, within 10%' : 'not matched: more than 10% off'
    return [
      `${method}: ${ratio.toFixed(2)} times the ${unit} of ${other} over ${counted(nTasks, 'task')}; ${word}. By task: bench report --tasks.`,
    ]
  })
}

/** Says what bounds are for, if some rows are bounds. */
export function boundTexts({ methods }: Summary): string[] {
  const bounds = methods.filter(({ agents }) => boundName(agents) !== undefined)
  return bounds.length === 0 || bounds.length === methods.length
    ? []
    : ['Bounds (oracle, no-op) show the ends of the scale; they are in no comparison, frontier or rank.']
}

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
  const why = present([
    many.length > 0 && 'more than 5% of the trials of a method are missing',
    uneven && 'the share of missing trials differs between methods',
  ]).join(', and ')
  return [
    `Warning: ${why} (error or cancelled: ${list}). Missing trials may be harder than others; ${againText(summary)}`,
    ...(compared ? [] : noteEach(summary, boundsText)),
  ]
}

function againText({ recorded, imported }: Summary): string {
  if (imported) return 'they did not run here, so that they cannot be run again.'
  return recorded
    ? 'running them again gives the same result.'
    : 'bench run --resume RUN --retry-errors runs the trials in error again.'
}

/** Says who leads if trials without a verdict count as failed, and if they are missing: harnesses differ in that. */
export function noVerdictNotes(summary: Summary): string[] {
  const { methods } = summary
  const ungraded = methods.filter(({ trials }) => trials.ungraded > 0)
  if (!summary.imported || ungraded.length === 0) return []
  const shareOf = (asFailed: boolean) => (row: MethodSummary) => {
    const values = row.cells.flatMap(({ run, missing, graded, passed }) => {
      const all = asFailed ? run - missing : graded
      return all > 0 ? [passed / all] : []
    })
    return { name: methodName(row, summary), share: values.length === 0 ? -1 : mean(values) }
  }
  const text = (asFailed: boolean) => {
    const rows = methods.map(shareOf(asFailed)).toSorted((a, b) => b.share - a.share)
    const shown = rows.filter(({ share }) => share >= 0).slice(0, 3)
    return shown.map(({ name, share }) => `${name} ${(100 * share).toFixed(1)}%`).join(', ')
  }
  const most = ungraded.reduce((a, b) => (b.trials.ungraded > a.trials.ungraded ? b : a))
  const all = methods.reduce((sum, { trials }) => sum + trials.run, 0)
  const none = ungraded.reduce((sum, { trials }) => sum + trials.ungraded, 0)
  return [
    `${none} of ${counted(all, 'trial')} ${none === 1 ? 'has' : 'have'} no verdict (${most.trials.ungraded} of ${methodName(most, summary)}). Counted as failed, the first are: ${text(true)}. As missing, as in the tables: ${text(false)}.`,
  ]
}

function missingShare({ trials }: MethodSummary): number {
  return trials.run === 0 ? 0 : (trials.error + trials.cancelled) / trials.run
}

function boundsText({ againstBaseline }: MethodSummary): string | null | undefined {
  const bounds = againstBaseline?.success.bounds
  const sign = bounds && bounds.low <= 0 && bounds.high >= 0 ? ', so even its sign is unknown' : ''
  return (
    bounds &&
    `with the missing trials the difference in success may be anything from ${formatSigned(bounds.low)} to ${formatSigned(bounds.high)} points${sign}.`
  )
}
