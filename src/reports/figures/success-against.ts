import { axisX, axisY, gridX, gridY, line, ruleX, ruleY } from '@observablehq/plot'
import type { Comparison, Frontier } from '../../analysis/compare/comparison.ts'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { counted } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, frameFigure, spanOf, textSize } from './frame.ts'
import { symbolsOn } from './key.ts'
import { keyBelow, keyBeside, keyHeight, keyWidth, type Placed, radiusOf, samePlaces } from './placed-key.ts'
import { styleOf } from './series-style.ts'
import { balanceText } from './svg-text.ts'
import { countTick, percentTick, ticksAcross, usdTick } from './ticks.ts'

type Spent = 'tokens' | 'costUsd'
const height = { wide: 330, narrow: 250 }
const margin = { top: 24, bottom: 40, left: 52 }
/** Pixels of a line of the label of an axis. */
const labelLine = 13
/** Width of the figure in a narrow window, where the names stand below the drawing. */
export const narrowWidth = 340
const words = {
  tokens: { title: 'tokens', axis: 'tokens per trial', format: countTick },
  costUsd: { title: 'cost', axis: 'US dollars per trial', format: usdTick },
} as const

/** Draws success against the cost of a trial, with the Pareto frontier. */
export const successAgainstCost = (data: FigureData, width = figureWidth): string =>
  successAgainst(data, 'costUsd', width)
/** Draws success against the tokens of a trial, with the Pareto frontier. */
export const successAgainstTokens = (data: FigureData): string => successAgainst(data, 'tokens', figureWidth)

function successAgainst(data: FigureData, spent: Spent, width: number): string {
  const { comparison } = data
  const { title, axis } = words[spent]
  const placed = comparison ? placedOf(comparison, data.labels, spent) : []
  const missing = data.labels.filter((label) => !placed.some((point) => point.label === label))
  const outcome = comparison?.outcome ?? 'success'
  const level = confidenceName(data.summary)
  const reason = !comparison
    ? 'there is only one method'
    : `no method has a known ${outcome} and known ${title}`
  const limited = placed.some(({ limits }) => limits.x || limits.y)
  return frameFigure(
    {
      title: `${outcome === 'score' ? 'Score' : 'Success'} against ${title}`,
      subtitle: `Means over ${comparison ? counted(comparison.frontiers[spent].nTasks, 'task') : 'tasks'}${limited ? `, lines: their ${level} intervals` : ''}. A filled symbol: no other method has at least this ${outcome} at ${spent === 'tokens' ? 'these tokens or fewer' : 'this cost or less'}.`,
      width,
      drawing:
        placed.length === 0
          ? null
          : drawPlaced(placed, {
              width,
              outcome,
              axis: `${axis}${spent === 'costUsd' && !data.summary.simulated ? ' at uncached list prices' : ''}`,
              format: words[spent].format,
            }),
      notes: [
        ...(placed.length === 0 ? [`Not drawn: ${reason}.`] : []),
        ...samePlaces(placed),
        ...(placed.some(({ membership }) => membership !== null)
          ? [
              `Percent: share of ${comparison?.resamples.toLocaleString('en-US')} resamples of tasks (seed ${comparison?.seed}) in which the method is on the frontier; a measure of stability, not a p-value.`,
            ]
          : []),
        ...(placed.length > 0 && missing.length > 0
          ? [`Not placed, because their ${title} or ${outcome} is unknown: ${missing.join(', ')}.`]
          : []),
      ],
    },
    data,
  )
}

function placedOf(comparison: Comparison, labels: readonly string[], spent: Spent): Placed[] {
  const frontier: Frontier = comparison.frontiers[spent]
  return frontier.points.flatMap((point) => {
    const method = comparison.methods.find(({ label }) => label === point.label)
    if (point.success === null || point.spent === null || !method) return []
    const own = method.spent[spent].mean
    const outcome = comparison.outcome === 'score' ? method.score : method.success
    // The limits of a method with more tasks than all share are around another mean.
    const same = method.nTasks === frontier.nTasks
    const range = (limits: { lower: number | null; upper: number | null }) =>
      same && limits.lower !== null && limits.upper !== null ? ([limits.lower, limits.upper] as const) : null
    return {
      label: point.label,
      place: labels.indexOf(point.label),
      x: point.spent,
      y: point.success,
      onFrontier: point.onFrontier === true,
      membership: point.membership,
      limits: { x: range(own), y: range(outcome) },
    }
  })
}

function drawPlaced(
  placed: readonly Placed[],
  {
    width,
    outcome,
    axis,
    format,
  }: { width: number; outcome: string; axis: string; format: (value: number) => string },
): Drawing {
  const isNarrow = width < figureWidth
  const { log, domain } = spanOf(
    placed.flatMap(({ x, limits }) => [x, ...(limits.x ?? []).filter((limit) => limit > 0)]),
  )
  const clipped = (value: number) => Math.max(value, domain[0])
  const edge = placed
    .filter(({ onFrontier }) => onFrontier)
    .sort((a, b) => a.x - b.x || a.y - b.y)
    .map(({ x, y }) => ({ x: clipped(x), y }))
  const last = edge.at(-1)
  const right = isNarrow ? 12 : keyWidth(placed)
  const pixels = width - margin.left - right
  const ticks = ticksAcross({ domain, log, format, pixels, beyond: right, most: isNarrow ? 4 : 7 })
  const label = balanceText(`${axis}${log ? ' (logarithmic)' : ''}`, pixels, textSize.text)
  const bottom = margin.bottom + labelLine * (label.length - 1)
  const drawing = drawPlot({
    width,
    height: heightFor(placed, isNarrow) + bottom - margin.bottom,
    marginTop: margin.top,
    marginBottom: bottom,
    marginLeft: margin.left,
    marginRight: right,
    x: { type: log ? 'log' : 'linear', domain },
    y: { domain: [0, 1] },
    marks: [
      line([...edge, ...(last ? [{ x: domain[1], y: last.y }] : [])], {
        ...{ x: 'x', y: 'y', curve: 'step-after' },
        ...frontierLine,
      }),
      gridX({ strokeOpacity: 0.12, ticks }),
      gridY({ strokeOpacity: 0.12, ticks: 5 }),
      axisX({
        ...axisText({ label: label.join('\n'), format }),
        ticks,
        labelAnchor: 'center',
      }),
      axisY({ ...axisText({ label: `${outcome}, %`, format: percentTick }), ticks: 5, labelAnchor: 'top' }),
      ...placed.flatMap((place) => whiskers(place, clipped)),
      ...placed.map(({ x, y, place, onFrontier }, index) =>
        symbolsOn([{ x: clipped(x), y }], styleOf(place), {
          hollow: !onFrontier,
          radius: radiusOf(index, placed),
        }),
      ),
    ],
  })
  return isNarrow
    ? keyBelow(drawing, placed)
    : keyBeside(drawing, placed, { room: right, top: margin.top, low: drawing.height - bottom })
}

/** Returns the height of a drawing, in which the names of all methods have a row. */
const heightFor = (placed: readonly Placed[], isNarrow: boolean) =>
  isNarrow ? height.narrow : Math.max(height.wide, margin.top + margin.bottom + keyHeight(placed))

const frontierLine = { strokeDasharray: '3 3', strokeOpacity: 0.4 }

function whiskers(
  { place, x: at, y: success, limits: { x, y } }: Placed,
  clipped: (value: number) => number,
) {
  const style = { stroke: styleOf(place).colour, strokeWidth: 1.75 }
  const across = x && { y: success, x1: clipped(x[0]), x2: x[1] }
  const upright = y && { x: clipped(at), y1: y[0], y2: y[1] }
  return [
    ...(across ? [ruleY([across], { y: 'y', x1: 'x1', x2: 'x2', ...style })] : []),
    ...(upright ? [ruleX([upright], { x: 'x', y1: 'y1', y2: 'y2', ...style })] : []),
  ]
}
