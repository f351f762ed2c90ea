import type { FigureData } from '../../analysis/figures/figure-data.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import { groupBy } from '../../base/grouping.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted, formatInterval } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { type Drawing, frameFigure } from './frame.ts'
import { drawIntervals } from './intervals.ts'
import { percentTick } from './ticks.ts'

/** Draws the success of each method with its interval. */
export function success(data: FigureData): string {
  const { methods } = data.summary
  const level = confidenceName(data.summary)
  const graded = methods.filter((row) => row.success.estimate !== null)
  const names = new Set(graded.map(({ success }) => success.interval).filter((name) => name !== null))
  const interval = [...names].map(
    (name) => ({ wilson: 'Wilson', 'korn-graubard': 'Korn-Graubard, clustered by task' })[name],
  )
  return frameFigure(
    {
      title: 'Success by method',
      subtitle: `Mean over tasks of the share of trials that passed${interval.length > 0 ? `, with its ${level} interval (${interval.join('; ')})` : ''}.`,
      drawing: graded.length === 0 ? null : drawRows(graded, data),
      notes: [
        ...(graded.length === 0 ? ['Not drawn: no trial was graded.'] : []),
        ...byCount(graded, data),
        ...(names.size > 0
          ? ['Intervals that overlap do not show that methods are equal: see the differences by task.']
          : graded.length > 0
            ? [
                'No interval: there are too few tasks, or the results were looked at before the end of the run.',
              ]
            : []),
      ],
    },
    data,
  )
}

function drawRows(rows: readonly MethodSummary[], data: FigureData): Drawing {
  const { summary } = data
  const points = rows.map((row, index) => ({
    ...row.success,
    label: `${methodName(row, summary)}${row.isBaseline && row.method !== 'baseline' ? ' (baseline)' : ''}`,
    place: placeOf(rows, index, data),
    text: formatInterval(row.success),
  }))
  return drawIntervals(points, { label: 'success, %', domain: [0, 1], format: percentTick })
}

/** Returns the place of a row among the methods of all figures; a bound, which the others do not draw, comes after them. */
function placeOf(rows: readonly MethodSummary[], index: number, { comparison, labels }: FigureData): number {
  const row = rows[index]
  const own = comparison?.methods.find(
    ({ method, set, agents }) => method === row?.method && set === row.set && agents === row.agents,
  )
  const place = labels.indexOf(own?.label ?? row?.method ?? '')
  return place < 0 ? labels.length + index : place
}

function byCount(rows: readonly MethodSummary[], { summary }: FigureData): string[] {
  const counts = groupBy(rows, ({ epochs: { min, max }, trials, success: { tasks } }) => {
    const epochs = min === max ? counted(min, 'epoch') : `${min} to ${max} epochs`
    const missing = trials.error + trials.cancelled + (trials.notRun ?? 0)
    return `${counted(tasks, 'task')}, ${epochs}${missing > 0 ? `, ${counted(missing, 'trial')} missing` : ''}`
  })
  const names = (own: readonly MethodSummary[]) => own.map((row) => methodName(row, summary)).join(', ')
  return [...counts].map(([text, own]) => `${counts.size === 1 ? 'Each method' : names(own)}: ${text}.`)
}
