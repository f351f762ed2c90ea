import { dot, line, text } from '@observablehq/plot'
import { drawPlot, textSize } from './frame.ts'
import { type SeriesStyle, styleOf } from './series-style.ts'
import { shortName } from './svg-text.ts'

interface KeyEntry {
  label: string
  /** Index of the method among those of the figure. */
  place: number
  /** Left end of the sample, and vertical centre of the text. */
  x: number
  y: number
}

const sample = 28
/** Pixels that the sample takes before the text. */
export const sampleWidth = sample + 6

/** Draws labels on the drawing itself. The legend of Plot is HTML, which a paper cannot contain. */
export function drawKey(
  entries: readonly KeyEntry[],
  { width, height }: { width: number; height: number },
): string {
  const pixels = { width, height, margin: 0 }
  return drawPlot({
    ...pixels,
    x: { domain: [0, width], range: [0, width], axis: null },
    y: { domain: [0, height], range: [0, height], axis: null },
    marks: entries.flatMap(({ label, place, x, y }) => {
      const style = styleOf(place)
      return [
        line(
          [
            { x, y },
            { x: x + sample, y },
          ],
          { x: 'x', y: 'y', stroke: style.colour, strokeWidth: 2, strokeDasharray: style.dash },
        ),
        symbolsOn([{ x: x + sample / 2, y }], style),
        text([{ x: x + sampleWidth, y }], {
          x: 'x',
          y: 'y',
          text: () => shortName(label, textSize.text),
          textAnchor: 'start',
          fontSize: textSize.text,
        }),
      ]
    }),
  }).svg
}

/** Draws symbols of a method at these points, in the scales of the drawing. */
export function symbolsOn(
  points: readonly { x: number; y: number | string }[],
  style: SeriesStyle,
  { hollow = false, radius = 4 }: { hollow?: boolean; radius?: number } = {},
) {
  return dot([...points], {
    x: 'x',
    y: 'y',
    symbol: style.symbol,
    r: radius,
    stroke: style.colour,
    strokeWidth: hollow ? 2 : 1,
    fill: hollow ? 'white' : style.colour,
  })
}

/**
 * Moves overlapping labels apart as little as possible. Returns places in pixels, in the given order, at least `gap` apart and
 * inside `[low, high]` if all of them fit.
 */
export function spreadLabels(
  places: readonly number[],
  { gap, low, high }: { gap: number; low: number; high: number },
): number[] {
  const order = places
    .map((_, index) => index)
    .sort((a, b) => (places[a] as number) - (places[b] as number) || a - b)
  const spread = order.map((index) => Math.min(high, Math.max(low, places[index] as number)))
  for (let i = 1; i < spread.length; i++)
    spread[i] = Math.max(spread[i] as number, (spread[i - 1] as number) + gap)
  // Labels pushed beyond the end are pushed back.
  let most = high
  for (let i = spread.length - 1; i >= 0; i--) {
    spread[i] = Math.min(spread[i] as number, most)
    most = (spread[i] as number) - gap
  }
  const result = new Array<number>(places.length)
  order.forEach((index, i) => {
    result[index] = spread[i] as number
  })
  return result
}
