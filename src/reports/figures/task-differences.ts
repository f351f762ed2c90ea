import { axisFx, axisX, axisY, dot, frame, gridY, rect, ruleX, text } from '@observablehq/plot'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import type { PairDifferences } from '../../analysis/figures/task-ranks.ts'
import { groupBy } from '../../base/grouping.ts'
import { confidenceName, formatDifference } from '../words/result-text.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, frameFigure, textSize } from './frame.ts'
import { styleOf } from './series-style.ts'
import { shortenName, widthOf } from './svg-text.ts'

/** Most panels, and most tasks with names. */
const most = { pairs: 4, inRow: 2, named: 45 }
const rowHeight = 13
/** Pixels between a point at 100 and the frame. */
const clear = 16

/** Draws the differences of pairs, task by task. */
export function taskDifferences(data: FigureData): string {
  const { comparison } = data
  const baseline = comparison?.family.baseline ?? null
  const against = data.differences.filter(({ pair }) => isOf(pair.b, baseline))
  const wanted = (against.length > 0 ? against : data.differences).filter(({ tasks }) => tasks.length > 0)
  const shown = wanted.slice(0, most.pairs)
  const left = data.differences.filter(({ tasks }) => tasks.length > 0).length - shown.length
  const outcome = comparison?.outcome ?? 'success'
  const reason = !comparison ? 'there is only one method' : 'no task has a value of both methods of a pair'
  return frameFigure(
    {
      title: `Differences in ${outcome} by task`,
      subtitle: `Each point is a task: the first method's ${outcome} minus the second's, in percentage points. Line and band: their mean and its ${confidenceName(data.summary)} limits, for each pair by itself.`,
      drawing: shown.length === 0 ? null : drawPanels(shown, data.labels),
      notes: [
        ...(shown.length === 0 ? [`Not drawn: ${reason}.`] : []),
        ...(left > 0
          ? [
              `${left} more ${left === 1 ? 'pair' : 'pairs'} not shown${against.length > 0 ? '; those with the baseline come first' : ''}.`,
            ]
          : []),
      ],
    },
    data,
  )
}

const isOf = (label: string, method: string | null) =>
  method !== null && (label === method || label.startsWith(`${method} (`))

function drawPanels(pairs: readonly PairDifferences[], labels: readonly string[]): Drawing {
  const names = orderOf(pairs)
  const rows = Array.from({ length: Math.ceil(pairs.length / most.inRow) }, (_, row) =>
    drawRow(pairs.slice(row * most.inRow, (row + 1) * most.inRow), {
      labels,
      names,
      // A row with fewer panels keeps their width.
      columns: Math.min(pairs.length, most.inRow),
    }),
  )
  let height = 0
  const placed = rows.map((row) => {
    const at = height
    height += row.height
    return `<g transform="translate(0,${at})">${row.svg}</g>`
  })
  return { width: figureWidth, height, svg: placed.join('') }
}

/** Returns the heading of a panel: each method on a line of its own, then the difference with its limits. */
function titleOf({ pair }: PairDifferences, width: number): string {
  return [
    shortenName(pair.a, width, textSize.text),
    `than ${shortenName(pair.b, width - widthOf('than ', textSize.text), textSize.text)}`,
    formatDifference(pair.outcome, { scale: 100, decimals: 1 }),
  ].join('\n')
}

function drawRow(
  pairs: readonly PairDifferences[],
  { labels, names, columns }: { labels: readonly string[]; names: readonly string[]; columns: number },
): Drawing {
  const named = names.length <= most.named
  // Without names each panel has its own order, so that its shape is visible.
  const place = ({ tasks }: PairDifferences, task: string) =>
    named ? names.indexOf(task) : tasks.findIndex((one) => one.task === task)
  const left = named ? 170 : 40
  const inner = Math.floor((figureWidth - left - 16) / columns)
  const top = 8 + 14 * 3
  const height = top + 40 + Math.max(120, Math.min(420, rowHeight * names.length))
  // Points at the ends, and their labels, stand clear of the frame and of the next panel.
  const end = 100 + (200 * clear) / (inner - 2 * clear)
  const points = pairs.flatMap((one, panel) =>
    one.tasks.map(({ task, difference }) => ({
      panel,
      x: 100 * difference,
      y: place(one, task),
      colour: styleOf(labels.indexOf(one.pair.a)).colour,
    })),
  )
  const means = pairs.map(({ pair: { outcome } }, panel) => ({
    panel,
    x: 100 * (outcome.estimate ?? 0),
    x1: 100 * (outcome.lower ?? outcome.estimate ?? 0),
    x2: 100 * (outcome.upper ?? outcome.estimate ?? 0),
  }))
  return drawPlot({
    width: figureWidth,
    height,
    marginTop: top,
    marginBottom: 40,
    marginLeft: left,
    marginRight: 16,
    fx: { domain: Array.from({ length: columns }, (_, panel) => panel), padding: 0.06 },
    x: { domain: [-end, end] },
    color: { type: 'identity' },
    y: { domain: [-0.7, names.length - 0.3], reverse: true },
    marks: [
      axisFx({
        label: null,
        fontSize: textSize.text,
        lineAnchor: 'bottom',
        tickFormat: (panel: number) => (pairs[panel] ? titleOf(pairs[panel], inner - 12) : ''),
      }),
      frame({ strokeOpacity: 0.25 }),
      ...(named ? [gridY({ ticks: names.map((_, row) => row), strokeOpacity: 0.1 })] : []),
      rect(means, { fx: 'panel', x1: 'x1', x2: 'x2', fill: 'currentColor', fillOpacity: 0.12 }),
      ruleX([0], { strokeWidth: 1 }),
      ruleX(means, { fx: 'panel', x: 'x', stroke: 'currentColor', strokeWidth: 1.5, strokeDasharray: '5 3' }),
      dot(points, {
        fx: 'panel',
        x: 'x',
        y: 'y',
        r: named ? 3.5 : 2.2,
        fill: 'colour',
        stroke: 'currentColor',
        strokeWidth: 0.6,
      }),
      axisX({
        ...axisText({ label: 'points', format: (value) => (value > 0 ? `+${value}` : String(value)) }),
        ticks: inner < 190 ? [-100, 0, 100] : [-100, -50, 0, 50, 100],
        labelAnchor: 'center',
      }),
      named
        ? axisY({
            label: null,
            tickSize: 0,
            fontSize: textSize.small,
            ticks: names.map((_, row) => row),
            tickFormat: (row: number) => shortenName(names[row] ?? '', left - 14, textSize.small),
          })
        : axisY({
            label: 'tasks, in the order of their difference',
            tickFormat: () => '',
            tickSize: 0,
            labelArrow: 'none',
            labelAnchor: 'center',
          }),
      ...(points.length === 0 ? [text(['no task'], { frameAnchor: 'middle' })] : []),
    ],
  })
}

function orderOf(pairs: readonly PairDifferences[]): string[] {
  const tasks = groupBy(
    pairs.flatMap((pair) => pair.tasks),
    ({ task }) => task,
  )
  return [...tasks]
    .map(([task, own]) => ({ task, mean: own.reduce((sum, one) => sum + one.difference, 0) / own.length }))
    .sort((a, b) => b.mean - a.mean || (a.task < b.task ? -1 : 1))
    .map(({ task }) => task)
}
