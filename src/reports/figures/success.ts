import { axisX, axisY, gridX, ruleY, text, tickX } from '@observablehq/plot'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import { groupBy } from '../../base/grouping.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted, formatInterval } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, frameFigure, textSize } from './frame.ts'
import { symbolsOn } from './key.ts'
import { styleOf } from './series-style.ts'
import { roomForNames, shortName } from './svg-text.ts'
import { percentTick } from './ticks.ts'

const rowHeight = 26
const margin = { top: 8, bottom: 40, beside: 14, right: 130 }

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
    row: String(index),
    label: `${methodName(row, summary)}${row.isBaseline && row.method !== 'baseline' ? ' (baseline)' : ''}`,
  }))
  const left = margin.beside + roomForNames(points, textSize.text)
  const limited = points.filter(({ lower, upper }) => lower !== null && upper !== null)
  return drawPlot({
    width: figureWidth,
    height: margin.top + margin.bottom + rowHeight * rows.length,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: left,
    marginRight: margin.right,
    x: { domain: [0, 1] },
    y: { type: 'band', domain: points.map(({ row }) => row), padding: 0.5 },
    marks: [
      gridX({ strokeOpacity: 0.12, ticks: 5 }),
      axisX({ ...axisText({ label: 'success, %', format: percentTick }), ticks: 5, labelAnchor: 'center' }),
      axisY({
        label: null,
        tickSize: 0,
        fontSize: textSize.text,
        tickFormat: (row: string) => shortName(points[Number(row)]?.label ?? '', textSize.text),
      }),
      ruleY(limited, { y: 'row', x1: 'lower', x2: 'upper', strokeWidth: 1.5 }),
      tickX(limited, { y: 'row', x: 'lower', strokeWidth: 1.5 }),
      tickX(limited, { y: 'row', x: 'upper', strokeWidth: 1.5 }),
      ...points.map((point, index) =>
        symbolsOn([{ x: point.estimate ?? 0, y: point.row }], styleOf(placeOf(rows, index, data))),
      ),
      text(points, {
        y: 'row',
        frameAnchor: 'right',
        dx: margin.right - 4,
        textAnchor: 'end',
        fontVariant: 'tabular-nums',
        fontSize: textSize.text,
        text: formatInterval,
      }),
    ],
  })
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
