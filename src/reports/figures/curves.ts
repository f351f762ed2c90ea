import { areaY, axisX, axisY, gridY, lineY, ruleX, ruleY } from '@observablehq/plot'
import { type Drawing, drawPlot, figureWidth, textSize } from './frame.ts'
import { drawKey, sampleWidth, spreadLabels, symbolsOn } from './key.ts'
import { styleOf } from './series-style.ts'
import { roomForNames } from './svg-text.ts'
import { ticksAcross } from './ticks.ts'

interface Curve {
  label: string
  /** Index of the method in the run, so that it looks the same in every figure. */
  place: number
  points: { x: number; y: number; low?: number | null; high?: number | null }[]
}

interface Axis {
  label: string
  domain: readonly [number, number]
  log?: boolean
  /** Approximate number of ticks. */
  ticks?: number
  format(value: number): string
  /** Pixels between the first and the last value and the frame. */
  inset?: number
}

const leastHeight = 290
/** Pixels from one label to the next. */
const labelGap = 15
const margin = { top: 24, bottom: 40, left: 62 }
/** Width of the space at the right without names. */
const beside = 32
/** Lines with more points than this have symbols on some points only, so that symbols do not hide the steps. */
const mostSymbols = { lines: 30, steps: 9 }

/** Draws lines over an axis. Each has its label at the end, in a narrow figure below, and its own colour, dash and symbol. */
export function drawCurves(
  curves: readonly Curve[],
  { x, y, steps = false, width = figureWidth }: { x: Axis; y: Axis; steps?: boolean; width?: number },
): Drawing {
  const curve = steps ? ('step-after' as const) : ('linear' as const)
  const drawn = curves.filter(({ points }) => points.length > 0)
  const isNarrow = width < figureWidth
  const marginRight = isNarrow ? beside : roomForNames(drawn, textSize.text) + sampleWidth + beside
  const pixels = width - margin.left - marginRight - 2 * (x.inset ?? 0)
  const ticks = ticksAcross({ ...x, pixels, beyond: beside, most: (x.ticks ?? 6) + 1 })
  const height = Math.max(leastHeight, margin.top + margin.bottom + labelGap * drawn.length)
  const lines = drawPlot({
    width,
    height,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    marginRight,
    x: { type: x.log ? 'log' : 'linear', domain: [...x.domain], inset: x.inset ?? 0 },
    y: { type: 'linear', domain: [...y.domain] },
    marks: [
      gridY({ strokeOpacity: 0.12, ticks: 5 }),
      ruleY([y.domain[0]]),
      axisX({ ...axisText(x), ticks, labelAnchor: 'center' }),
      axisY({ ...axisText(y), ticks: y.ticks ?? 5, labelAnchor: 'top' }),
      ...drawn.map(({ points, place }) =>
        areaY(
          points.filter(({ low, high }) => typeof low === 'number' && typeof high === 'number'),
          { x: 'x', y1: 'low', y2: 'high', curve, fill: styleOf(place).colour, fillOpacity: 0.13 },
        ),
      ),
      // An area needs two points.
      ...drawn.map(({ points, place }) =>
        ruleX(points.length === 1 ? points.filter(({ low }) => typeof low === 'number') : [], {
          ...{ x: 'x', y1: 'low', y2: 'high', stroke: styleOf(place).colour, strokeWidth: 2 },
        }),
      ),
      ...drawn.map(({ points, place }) => {
        const { colour, dash } = styleOf(place)
        return lineY(points, { x: 'x', y: 'y', curve, stroke: colour, strokeWidth: 2, strokeDasharray: dash })
      }),
      ...drawn.map(({ points, place }) =>
        symbolsOn(thinSymbols(points, steps ? mostSymbols.steps : mostSymbols.lines), styleOf(place)),
      ),
    ],
  })
  if (isNarrow) return withLabelsBelow(lines, drawn)
  return { ...lines, svg: lines.svg + endLabels(drawn, y, { room: marginRight, height }) }
}

/** Returns options that all axes share: no arrows, text that is readable in print. */
export function axisText({ label, format }: { label: string | null; format: Axis['format'] }) {
  return { label, labelArrow: 'none' as const, tickFormat: format, fontSize: textSize.text }
}

function thinSymbols<Point>(points: readonly Point[], most: number): Point[] {
  const every = Math.ceil(points.length / most)
  return points.filter((_, index) => index % every === 0 || index === points.length - 1)
}

function endLabels(
  drawn: readonly Curve[],
  { domain: [low, high] }: Axis,
  { room, height }: { room: number; height: number },
): string {
  const [bottom, top] = [height - margin.bottom, margin.top]
  const toPixel = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top)
  const places = spreadLabels(
    drawn.map(({ points }) => toPixel(points.at(-1)?.y ?? low)),
    { gap: labelGap, low: top, high: bottom },
  )
  return drawKey(
    drawn.map(({ label, place }, index) => ({
      label,
      place,
      x: figureWidth - room + 22,
      y: places[index] as number,
    })),
    { width: figureWidth, height },
  )
}

function withLabelsBelow({ width, height: top, svg }: Drawing, drawn: readonly Curve[]): Drawing {
  const height = top + labelGap * (drawn.length + 1)
  const entries = drawn.map(({ label, place }, index) => ({
    ...{ label, place, x: 4 },
    y: top + labelGap * (index + 1),
  }))
  return { width, height, svg: svg + drawKey(entries, { width, height }) }
}
