import { groupBy } from '../../base/grouping.ts'
import { formatPercent } from '../words/numbers.ts'
import { type Drawing, drawPlot, textSize } from './frame.ts'
import { spreadLabels, symbolsOn } from './key.ts'
import { styleOf } from './series-style.ts'
import { escapeXml, roomForNames, shortName, widthOf } from './svg-text.ts'

/** A placed method, with its limits if they are over the same tasks. */
export interface Placed {
  label: string
  place: number
  x: number
  y: number
  onFrontier: boolean
  membership: number | null
  limits: { x: readonly [number, number] | null; y: readonly [number, number] | null }
}

/** Pixels of a symbol before a name, between the drawing and the names, of a row of names, and from one name to the next. */
const key = { symbol: 16, gap: 14, row: 17, next: 16 }

/** Returns the radius of a symbol in pixels: one that later ones would cover is drawn around them. */
export function radiusOf(index: number, placed: readonly Placed[]): number {
  const own = placed[index] as Placed
  const covering = placed.slice(index + 1).filter((other) => isSamePlace(own, other)).length
  return 4 + 3 * Math.min(covering, 4)
}

const isSamePlace = (a: Placed, b: Placed) =>
  Math.abs(a.y - b.y) < 0.005 && Math.abs(a.x - b.x) <= 0.005 * Math.max(Math.abs(a.x), Math.abs(b.x))

/** Names the methods whose symbols stand at one place. */
export function samePlaces(placed: readonly Placed[]): string[] {
  const groups = groupBy(placed, (one) => placed.findIndex((other) => isSamePlace(one, other)))
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => `At one place: ${group.map(({ label }) => label).join(', ')}.`)
}

const shareText = ({ membership }: Placed) => (membership === null ? '' : formatPercent(membership))
const frontierText = 'Pareto frontier'

/** Returns the room at the right for names, each with its share of resamples on the frontier. */
export function keyWidth(placed: readonly Placed[]): number {
  const names = roomForNames([{ label: frontierText }, ...placed], textSize.text)
  const shares = placed.reduce((most, one) => Math.max(most, widthOf(shareText(one), textSize.text)), 0)
  return Math.ceil(key.gap + key.symbol + names + (shares > 0 ? shares + 12 : 0) + 4)
}

/** Returns the height that the names beside a drawing take. */
export const keyHeight = (placed: readonly Placed[]): number => key.row + key.next * placed.length

/** Adds the names of the methods at the right of a drawing, each near its symbol. */
export function keyBeside(
  drawing: Drawing,
  placed: readonly Placed[],
  { room, top, low }: { room: number; top: number; low: number },
): Drawing {
  const { width, height: full } = drawing
  // The last row names the line of the frontier.
  const at = spreadLabels(
    placed.map(({ y }) => low - y * (low - top)),
    { gap: key.next, low: top, high: low - key.row },
  )
  const rows = placed.map((one, index) => ({ one, y: at[index] as number }))
  return {
    ...drawing,
    svg: drawing.svg + keyRows(rows, { left: width - room + key.gap, width, height: full, frontierAt: low }),
  }
}

/** Adds the names of the methods below a drawing. */
export function keyBelow(drawing: Drawing, placed: readonly Placed[]): Drawing {
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
      symbolsOn([{ x: left + 5, y }], styleOf(place), { hollow: !onFrontier }),
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
