import { axisX, axisY, gridX, ruleY, text, tickX } from '@observablehq/plot'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, textSize } from './frame.ts'
import { symbolsOn } from './key.ts'
import { styleOf } from './series-style.ts'
import { roomForNames, shortName } from './svg-text.ts'
import { ticksAcross } from './ticks.ts'

const rowHeight = 26
const margin = { top: 8, bottom: 40, beside: 14, right: 130 }

/** A row of the figure: its name at the left, its estimate with its limits, and their text at the right. */
interface IntervalRow extends Interval {
  label: string
  /** Index of the method, so that it looks the same in every figure. */
  place: number
  text: string
}

/** Draws estimates with their intervals, one row each, over one axis. A narrow figure leaves out their texts. */
export function drawIntervals(
  rows: readonly IntervalRow[],
  axis: { label: string; domain: readonly [number, number]; format(value: number): string },
  width: number = figureWidth,
): Drawing {
  const beside = width < figureWidth ? margin.beside : margin.right
  const points = rows.map((row, index) => ({ ...row, row: String(index) }))
  const left = margin.beside + roomForNames(points, textSize.text)
  const limited = points.filter(({ lower, upper }) => lower !== null && upper !== null)
  const ticks = ticksAcross({ ...axis, pixels: width - left - beside, beyond: margin.beside, most: 6 })
  return drawPlot({
    width,
    height: margin.top + margin.bottom + rowHeight * rows.length,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: left,
    marginRight: beside,
    x: { domain: [...axis.domain] },
    y: { type: 'band', domain: points.map(({ row }) => row), padding: 0.5 },
    marks: [
      gridX({ strokeOpacity: 0.12, ticks }),
      axisX({ ...axisText(axis), ticks, labelAnchor: 'center' }),
      axisY({
        label: null,
        tickSize: 0,
        fontSize: textSize.text,
        tickFormat: (row: string) => shortName(points[Number(row)]?.label ?? '', textSize.text),
      }),
      ruleY(limited, { y: 'row', x1: 'lower', x2: 'upper', strokeWidth: 1.5 }),
      tickX(limited, { y: 'row', x: 'lower', strokeWidth: 1.5 }),
      tickX(limited, { y: 'row', x: 'upper', strokeWidth: 1.5 }),
      ...points.map(({ estimate, place, row }) => symbolsOn([{ x: estimate ?? 0, y: row }], styleOf(place))),
      text(beside === margin.right ? points : [], {
        y: 'row',
        frameAnchor: 'right',
        dx: margin.right - 4,
        textAnchor: 'end',
        fontVariant: 'tabular-nums',
        fontSize: textSize.text,
        text: 'text',
      }),
    ],
  })
}
