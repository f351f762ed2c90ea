import { axisX, axisY, gridX, gridY, line, ruleX, ruleY } from '@observablehq/plot'
import type { Comparison, Frontier } from '../../analysis/compare/comparison.ts'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { counted, formatShare } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { axisText } from './curves.ts'
import {
  countTick,
  type Drawing,
  drawPlot,
  figureWidth,
  frameFigure,
  logTicks,
  percentTick,
  spanOf,
  textSize,
  usdTick,
} from './frame.ts'
import { spreadLabels, symbolsOn } from './key.ts'
import { styleOf } from './series-style.ts'
import { escapeXml, roomForNames, shortName, widthOf } from './svg-text.ts'

type Spent = 'tokens' | 'costUsd'
/** A placed method, with its limits if they are over the same tasks. */
interface Placed {
  label: string
  place: number
  x: number
  y: number
  onFrontier: boolean
  membership: number | null
  limits: { x: readonly [number, number] | null; y: readonly [number, number] | null }
}

const height = { wide: 330, narrow: 250 }
const margin = { top: 24, bottom: 40, left: 52 }
/** Pixels of a symbol before a name, between the drawing and the names, and of a row of names. */
const key = { symbol: 16, gap: 14, row: 17 }
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
  const count = isNarrow ? 4 : 6
  const drawing = drawPlot({
    width,
    height: isNarrow ? height.narrow : height.wide,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    marginRight: right,
    x: { type: log ? 'log' : 'linear', domain },
    y: { domain: [0, 1] },
    marks: [
      line([...edge, ...(last ? [{ x: domain[1], y: last.y }] : [])], {
        ...{ x: 'x', y: 'y', curve: 'step-after' },
        ...frontierLine,
      }),
      gridX({ strokeOpacity: 0.12, ticks: log ? logTicks(domain) : count }),
      gridY({ strokeOpacity: 0.12, ticks: 5 }),
      axisX({
        ...axisText({ label: `${axis}${log ? ' (logarithmic)' : ''}`, format }),
        ticks: log ? logTicks(domain) : count,
        labelAnchor: 'center',
      }),
      axisY({ ...axisText({ label: `${outcome}, %`, format: percentTick }), ticks: 5, labelAnchor: 'top' }),
      ...placed.flatMap((place) => whiskers(place, clipped)),
      ...placed.map(({ x, y, place, onFrontier }) =>
        symbolsOn([{ x: clipped(x), y }], styleOf(place), !onFrontier),
      ),
    ],
  })
  return isNarrow ? keyBelow(drawing, placed) : keyBeside(drawing, placed, width - right + key.gap)
}

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

const shareText = ({ membership }: Placed) => (membership === null ? '' : `${formatShare(membership)}%`)
const frontierText = 'Pareto frontier'

/** Returns the room at the right for names, each with its share of resamples on the frontier. */
function keyWidth(placed: readonly Placed[]): number {
  const names = roomForNames([{ label: frontierText }, ...placed], textSize.text)
  const shares = placed.reduce((most, one) => Math.max(most, widthOf(shareText(one), textSize.text)), 0)
  return Math.ceil(key.gap + key.symbol + names + (shares > 0 ? shares + 12 : 0) + 4)
}

function keyBeside(drawing: Drawing, placed: readonly Placed[], left: number): Drawing {
  const { width, height: full } = drawing
  const low = full - margin.bottom
  // The last row names the line of the frontier.
  const at = spreadLabels(
    placed.map(({ y }) => low - y * (low - margin.top)),
    { gap: 16, low: margin.top, high: low - key.row },
  )
  const rows = placed.map((one, index) => ({ one, y: at[index] as number }))
  return { ...drawing, svg: drawing.svg + keyRows(rows, { left, width, height: full, frontierAt: low }) }
}

function keyBelow(drawing: Drawing, placed: readonly Placed[]): Drawing {
  const first = drawing.height + 28
  const rows = [...placed]
    .sort((a, b) => b.y - a.y)
    .map((one, index) => ({ one, y: first + key.row * index }))
  const frontierAt = first + key.row * rows.length
  const full = frontierAt + 12
  const svg = keyRows(rows, { left: 8, width: drawing.width, height: full, frontierAt })
  return { ...drawing, height: full, svg: drawing.svg + svg }
}

function keyRows(
  rows: readonly { one: Placed; y: number }[],
  { left, width, height, frontierAt }: { left: number; width: number; height: number; frontierAt: number },
): string {
  const text = (x: number, y: number, words: string, more = '') =>
    `<text x="${x}" y="${(y + 4).toFixed(1)}" font-size="${textSize.text}"${more}>${escapeXml(words)}</text>`
  const symbols = drawPlot({
    ...{ width, height, margin: 0 },
    x: { domain: [0, width], range: [0, width], axis: null },
    y: { domain: [0, height], range: [0, height], axis: null },
    marks: rows.map(({ one: { place, onFrontier }, y }) =>
      symbolsOn([{ x: left + 5, y }], styleOf(place), !onFrontier),
    ),
  }).svg
  const top = rows.reduce((least, { y }) => Math.min(least, y), frontierAt)
  const isShared = rows.some(({ one }) => shareText(one) !== '')
  return [
    symbols,
    ...rows.map(({ one, y }) => text(left + key.symbol, y, shortName(one.label, textSize.text))),
    ...rows.map(({ one, y }) => text(width - 4, y, shareText(one), ' text-anchor="end"')),
    ...(isShared
      ? [
          `<text x="${width - 4}" y="${(top - 12).toFixed(1)}" text-anchor="end" font-size="${textSize.small}">on the frontier</text>`,
        ]
      : []),
    `<path d="M${left - 2},${frontierAt}H${left + 12}" stroke="currentColor" stroke-dasharray="3 3" stroke-opacity="0.4"/>`,
    text(left + key.symbol, frontierAt, frontierText),
  ].join('')
}
