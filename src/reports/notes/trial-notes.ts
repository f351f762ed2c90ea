import { boundName } from '../../analysis/row.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { counted } from '../words/numbers.ts'
import { groupByText } from './group-by-text.ts'

/**
 * Returns notes on trials that are missing, were not run, or count in a special way; none where all were graded. `settled`: a
 * stop rule ended the run as planned.
 */
export function trialNotes(summary: Summary, { settled }: { settled: boolean }): string[] {
  const notes = groupByText(summary, summary.methods, (row) => describeTrials(row, settled))
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
  const others = [
    ...(epochs.min === epochs.max ? [] : [`${epochs.min} to ${epochs.max} epochs`]),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...list([
      [settled ? notRun : 0, 'not run, because the stop rule ended the run as planned'],
      [trials.ungraded, 'ungraded'],
      [outcomes.limited, 'cut off by a limit of the trial, with its iterations and time'],
      [outcomes.failed, 'failed: the method broke, or did not handle an unusable reply'],
    ]),
  ]
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
