import { axisX, axisY, barX, gridX, text } from '@observablehq/plot'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import type { RoleTokens } from '../../analysis/figures/figure-trials.ts'
import { counted, formatCount } from '../words/numbers.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, frameFigure, textSize } from './frame.ts'
import { fillOf, patternOf } from './series-style.ts'
import { escapeXml, plainName, roomForNames, shortenName, shortName, widthOf } from './svg-text.ts'
import { countTick, ticksAcross } from './ticks.ts'

const rowHeight = 38
const margin = { top: 8, bottom: 40, beside: 14, right: 70 }
const legend = { swatch: 14, row: 20, gap: 18 }
const patternId = (place: number) => `tokens-by-role-${place}`

/** Draws the tokens of each role of each method as stacked bars. */
export function tokensByRole(data: FigureData): string {
  const rows = data.roles.filter(({ total }) => total > 0)
  const silent = data.roles.filter(({ total }) => total === 0).map(({ label }) => label)
  const roles = rolesOf(rows)
  return frameFigure(
    {
      title: 'Tokens by role',
      subtitle:
        'Input and output tokens per trial; mean over tasks. Failed attempts and repairs are included, grading is not.',
      drawing: rows.length === 0 ? null : drawStacks(rows, roles),
      definitions: roles.map((_, place) => patternOf(patternId(place), fillOf(place))).join(''),
      notes: [
        ...(rows.length === 0 ? ['Not drawn: no call reported its tokens.'] : []),
        ...(rows.length > 0 && silent.length > 0
          ? [`No call with reported tokens: ${silent.join(', ')}.`]
          : []),
        ...rows.flatMap(({ label, unreported }) =>
          unreported > 0
            ? [`${label}: ${counted(unreported, 'call')} did not report all tokens, so its bar is too short.`]
            : [],
        ),
      ],
    },
    data,
  )
}

/** Returns all roles, largest sum first; roles that differ only in their number stay together, in the order of the numbers. */
function rolesOf(rows: readonly RoleTokens[]): string[] {
  const sums = new Map<string, number>()
  for (const { roles } of rows)
    for (const { role, tokens } of roles) sums.set(role, (sums.get(role) ?? 0) + tokens)
  const groups = new Map<string, number>()
  for (const [role, sum] of sums) groups.set(stemOf(role), (groups.get(stemOf(role)) ?? 0) + sum)
  const byGroup = (a: string, b: string) =>
    (groups.get(stemOf(b)) ?? 0) - (groups.get(stemOf(a)) ?? 0) || compareNames(stemOf(a), stemOf(b))
  return [...sums.keys()].sort((a, b) => byGroup(a, b) || numberOf(a) - numberOf(b) || compareNames(a, b))
}

const stemOf = (role: string) => role.replace(/\d+$/, '')
const numberOf = (role: string) => Number(/\d+$/.exec(role)?.[0] ?? -1)
const compareNames = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

function drawStacks(rows: readonly RoleTokens[], roles: readonly string[]): Drawing {
  const most = rows.reduce((top, { total }) => Math.max(top, total), 0)
  const left = margin.beside + roomForNames(rows, textSize.text)
  const inner = figureWidth - left - margin.right
  const parts = rows.flatMap(({ roles: own }, index) => {
    let from = 0
    const ordered = [...own].sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role))
    return ordered.map(({ role, tokens }) => {
      const part = { row: String(index), role, x1: from, x2: from + tokens, place: roles.indexOf(role) }
      from += tokens
      return part
    })
  })
  const labelled = parts.filter(
    ({ role, x1, x2 }) => ((x2 - x1) / most) * inner > widthOf(plainName(role), textSize.small) + 10,
  )
  const height = margin.top + margin.bottom + rowHeight * rows.length
  const ticks = ticksAcross({ domain: [0, most], format: countTick, pixels: inner, beyond: margin.right })
  const bars = drawPlot({
    width: figureWidth,
    height,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: left,
    marginRight: margin.right,
    x: { domain: [0, most] },
    y: { type: 'band', domain: rows.map((_, index) => String(index)), padding: 0.28 },
    color: { type: 'identity' },
    marks: [
      gridX({ strokeOpacity: 0.12, ticks }),
      axisX({
        ...axisText({ label: 'tokens per trial', format: countTick }),
        ticks,
        labelAnchor: 'center',
      }),
      axisY({
        label: null,
        tickSize: 0,
        fontSize: textSize.text,
        tickFormat: (row: string) => shortName(rows[Number(row)]?.label ?? '', textSize.text),
      }),
      ...roles.map((_, place) =>
        barX(
          parts.filter((part) => part.place === place),
          {
            y: 'row',
            x1: 'x1',
            x2: 'x2',
            fill: `url(#${patternId(place)})`,
            stroke: 'currentColor',
            strokeWidth: 0.75,
          },
        ),
      ),
      text(labelled, {
        y: 'row',
        x: ({ x1, x2 }: { x1: number; x2: number }) => (x1 + x2) / 2,
        text: ({ role }: { role: string }) => plainName(role),
        fontSize: textSize.small,
        fill: 'black',
        stroke: 'white',
        strokeWidth: 4,
      }),
      text(rows, {
        y: (_, index: number) => String(index),
        x: 'total',
        dx: 6,
        textAnchor: 'start',
        fontSize: textSize.text,
        text: ({ total }: RoleTokens) => formatCount(Math.round(total)),
      }),
    ],
  })
  const key = legendOf(roles)
  return {
    width: figureWidth,
    height: height + key.height,
    svg: `${bars.svg}<g transform="translate(0,${height})">${key.svg}</g>`,
  }
}

/** Draws a legend: swatches with names, in rows. Narrow bars have no label of their own. */
function legendOf(roles: readonly string[]): Drawing {
  let [x, y] = [4, 0]
  const items = roles.map((role, place) => {
    const name = shortenName(role, 240, textSize.text)
    const width = legend.swatch + 6 + widthOf(name, textSize.text) + legend.gap
    if (x + width > figureWidth && x > 4) [x, y] = [4, y + legend.row]
    const item = `<rect x="${x}" y="${y + 3}" width="${legend.swatch}" height="${legend.swatch}" fill="url(#${patternId(place)})" stroke="currentColor" stroke-width="0.75"/><text x="${x + legend.swatch + 5}" y="${y + 14}" font-size="${textSize.text}">${escapeXml(name)}</text>`
    x = Math.round(x + width)
    return item
  })
  return { width: figureWidth, height: y + legend.row + 4, svg: items.join('') }
}
