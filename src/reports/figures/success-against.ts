import { axisX, axisY, gridX, gridY, line, ruleX, ruleY } from '@observablehq/plot'
import type { Comparison, Frontier } from '../../analysis/compare/comparison.ts'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { counted, formatShare } from '../words/numbers.ts'
import { type Drawing, drawPlot, textSize } from './canvas.ts'
import { axisText } from './curves.ts'
import { figureWidth, frameFigure } from './frame.ts'
import { drawKey, sampleWidth, symbolsOn } from './key.ts'
import { spreadLabels } from './label-places.ts'
import { styleOf } from './series-style.ts'
import { escapeXml, shortenName, widthOf } from './svg-text.ts'
import { countTick, logTicks, percentTick, spanOf, usdTick } from './ticks.ts'

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

const height = 330
const margin = { top: 24, bottom: 40, left: 52, right: 230 }
const words = {
  tokens: { title: 'tokens', axis: 'tokens per trial', format: countTick },
  costUsd: { title: 'cost', axis: 'US dollars per trial', format: usdTick },
} as const

/** Draws success against the cost of a trial, with the Pareto frontier. */
export const successAgainstCost = (data: FigureData): string => successAgainst(data, 'costUsd')
/** Draws success against the tokens of a trial, with the Pareto frontier. */
export const successAgainstTokens = (data: FigureData): string => successAgainst(data, 'tokens')

function successAgainst(data: FigureData, spent: Spent): string {
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
      subtitle: `Means over ${comparison ? counted(comparison.frontiers[spent].nTasks, 'task') : 'tasks'}${limited ? `, lines: their ${level} intervals` : ''}. Filled: on the Pareto frontier, where no other method has as much success for as little.`,
      drawing:
        placed.length === 0
          ? null
          : drawPlaced(placed, {
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
  { outcome, axis, format }: { outcome: string; axis: string; format: (value: number) => string },
): Drawing {
  const { log, domain } = spanOf(
    placed.flatMap(({ x, limits }) => [x, ...(limits.x ?? []).filter((limit) => limit > 0)]),
  )
  const clipped = (value: number) => Math.max(value, domain[0])
  const edge = placed
    .filter(({ onFrontier }) => onFrontier)
    .sort((a, b) => a.x - b.x || a.y - b.y)
    .map(({ x, y }) => ({ x: clipped(x), y }))
  const last = edge.at(-1)
  const whiskers = (place: Placed) => {
    const stroke = styleOf(place.place).colour
    const { x, y } = place.limits
    return [
      ...(x
        ? [ruleY([{ y: place.y, x1: clipped(x[0]), x2: x[1] }], { y: 'y', x1: 'x1', x2: 'x2', stroke })]
        : []),
      ...(y
        ? [ruleX([{ x: clipped(place.x), y1: y[0], y2: y[1] }], { x: 'x', y1: 'y1', y2: 'y2', stroke })]
        : []),
    ]
  }
  const drawing = drawPlot({
    width: figureWidth,
    height,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    marginRight: margin.right,
    x: { type: log ? 'log' : 'linear', domain },
    y: { domain: [0, 1] },
    marks: [
      gridX({ strokeOpacity: 0.12, ticks: log ? logTicks(domain) : 6 }),
      gridY({ strokeOpacity: 0.12, ticks: 5 }),
      axisX({
        ...axisText({ label: `${axis}${log ? ' (logarithmic)' : ''}`, format }),
        ticks: log ? logTicks(domain) : 6,
        labelAnchor: 'center',
      }),
      axisY({ ...axisText({ label: `${outcome}, %`, format: percentTick }), ticks: 5, labelAnchor: 'top' }),
      line([...edge, ...(last ? [{ x: domain[1], y: last.y }] : [])], {
        x: 'x',
        y: 'y',
        curve: 'step-after',
        strokeDasharray: '3 3',
        strokeOpacity: 0.7,
      }),
      ...placed.flatMap(whiskers),
      ...placed.map(({ x, y, place, onFrontier }) =>
        symbolsOn([{ x: clipped(x), y }], styleOf(place), !onFrontier),
      ),
    ],
  })
  return { ...drawing, svg: drawing.svg + names(placed) }
}

/** Draws the names at the right, in the order of success, each with its share of resamples on the frontier. */
function names(placed: readonly Placed[]): string {
  const left = figureWidth - margin.right + 14
  const at = spreadLabels(
    placed.map(({ y }) => height - margin.bottom - y * (height - margin.bottom - margin.top)),
    { gap: 16, low: margin.top, high: height - margin.bottom },
  )
  const shares = placed.map(({ membership }) => (membership === null ? '' : `${formatShare(membership)}%`))
  const widest = shares.reduce((most, text) => Math.max(most, widthOf(text, textSize.text)), 0)
  const right = figureWidth - 8 - widest
  const key = drawKey(
    placed.map(({ label, place }, index) => ({
      label: shortenName(label, right - left - sampleWidth, textSize.text),
      place,
      x: left,
      y: at[index] as number,
    })),
    { width: figureWidth, height, right },
  )
  const texts = shares.map(
    (share, index) =>
      `<text x="${figureWidth - 4}" y="${((at[index] as number) + 4).toFixed(1)}" text-anchor="end" font-size="${textSize.text}">${escapeXml(share)}</text>`,
  )
  const heading =
    widest > 0
      ? `<text x="${figureWidth - 4}" y="12" text-anchor="end" font-size="${textSize.small}">on the frontier</text>`
      : ''
  return key + texts.join('') + heading
}
