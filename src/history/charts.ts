import type { Interval } from '../analysis/tasks/interval.ts'
import { drawCurves } from '../reports/figures/curves.ts'
import { type FigureSource, frameFigure, spanOf } from '../reports/figures/frame.ts'
import { drawIntervals } from '../reports/figures/intervals.ts'
import { narrowWidth } from '../reports/figures/success-against.ts'
import { percentTick, usdTick } from '../reports/figures/ticks.ts'
import { counted, formatInterval } from '../reports/words/numbers.ts'
import type { HistoryLine } from './estimates.ts'
import type { HistoryGroup, HistorySeries } from './history-data.ts'
import { costText, kindFacts } from './tables.ts'

/** More lines or bars than these cannot be told apart. */
const mostCurves = 6
const mostBars = 12
const mostNotes = 5
const mostRuns = 40
const weekMs = 604_800_000
const firstMonday = Date.UTC(1970, 0, 5)

/** Draws the charts of a group, each as a whole SVG document, by name; each also for a narrow window. */
export function historyCharts(group: HistoryGroup): Record<string, string> {
  const { trend, rows, timeline } = group
  const places = new Map(rows.map(({ name }, place) => [name, place]))
  const source: FigureSource = {
    summary: {
      ...kindFacts(group.kind),
      ...evidenceMarks(group),
      profiles: group.profiles,
      faults: group.faults,
    },
    source: '',
  }
  const parts = {
    trend: (width?: number) => trendParts(trend, places, width),
    cost: (width?: number) => bars(rows, places, 'cost', width),
    success: (width?: number) => bars(rows, places, 'success', width),
    timeline: (width?: number) => timelineParts(timeline, places, width),
  }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, partsAt]) => [
      [name, frameFigure(partsAt(), source)],
      [`${name}-narrow`, frameFigure(partsAt(narrowWidth), source)],
    ]),
  )
}

const evidenceMarks = ({ kind }: HistoryGroup) => ({
  recorded: kind === 'recorded' ? (true as const) : undefined,
  imported: kind === 'imported' ? (true as const) : undefined,
})

const trendParts = (
  trend: readonly HistorySeries[],
  places: ReadonlyMap<string, number>,
  width?: number,
) => ({
  title: 'Success by week',
  subtitle:
    'Mean over tasks of the share of trials that passed, in the runs of each week, with its 95% interval.',
  ...curves(trend, places, {
    label: 'week of',
    at: ({ labels }) => (Date.parse(`${labels.week}T00:00:00Z`) - firstMonday) / weekMs,
    format: (week) => new Date(firstMonday + week * weekMs).toISOString().slice(0, 10),
    width,
  }),
})

interface Along {
  label: string
  /** A whole number. */
  at(line: HistoryLine): number
  format(value: number): string
  /** In pixels, if it is not that of every figure. */
  width: number | undefined
}

function curves(
  all: readonly HistorySeries[],
  places: ReadonlyMap<string, number>,
  { label, at, format, width }: Along,
) {
  const shown = first(all, places, mostCurves)
  const drawn = shown.map(({ name, lines }) => ({
    ...{ label: name, place: places.get(name) ?? 0 },
    points: lines.flatMap((line) => {
      const { estimate, lower, upper } = line.summary.success
      return estimate === null ? [] : [{ x: at(line), y: estimate, low: lower, high: upper }]
    }),
  }))
  const values = drawn.flatMap(({ points }) => points.map(({ x }) => x))
  const [low, high] = values.reduce(
    ([a, b], x) => [Math.min(a, x), Math.max(b, x)],
    [values[0] ?? 0, values[0] ?? 0],
  )
  return {
    ...(width !== undefined && { width }),
    drawing:
      values.length === 0
        ? null
        : drawCurves(drawn, {
            x: {
              label,
              domain: [low - 0.5, high + 0.5],
              format: (x) => (Number.isInteger(x) ? format(x) : ''),
              ticks: Math.min(6, high - low + 1),
            },
            y: { label: 'success, %', domain: [0, 1], format: percentTick },
            ...(width !== undefined && { width }),
          }),
    notes: [
      ...(values.length === 0 ? ['Not drawn: no trial was graded.'] : []),
      ...leftNote(all.length, shown.length),
    ],
  }
}

/** Those with most trials, which the places count. */
const first = (all: readonly HistorySeries[], places: ReadonlyMap<string, number>, most: number) =>
  [...all].sort((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0)).slice(0, most)

const leftNote = (all: number, shown: number): string[] =>
  all > shown ? [`The ${shown} with most trials of ${all}; the table has all.`] : []

function bars(
  all: readonly HistorySeries[],
  places: ReadonlyMap<string, number>,
  what: 'cost' | 'success',
  width?: number,
) {
  const known = all.flatMap(({ name, lines: [line] }) => {
    if (!line) return []
    const { cost, success } = line.summary
    const value: Interval =
      what === 'success' ? success : { ...line.costPerTrial, estimate: cost.perTrial.value }
    const text = what === 'success' ? formatInterval(success) : costText(cost.perTrial, line.costPerTrial)
    return value.estimate === null ? [] : [{ ...value, label: name, place: places.get(name) ?? 0, text }]
  })
  const shown = known.slice(0, mostBars)
  const most = spanOf(shown.flatMap(({ estimate, upper }) => [estimate ?? 0, upper ?? 0])).domain[1]
  const axis =
    what === 'success'
      ? { label: 'success, %', domain: [0, 1] as const, format: percentTick }
      : { label: 'US dollars a trial', domain: [0, most] as const, format: usdTick }
  return {
    ...(width !== undefined && { width }),
    title: what === 'success' ? 'Success over all runs' : 'Cost by method and agents',
    subtitle:
      what === 'success'
        ? 'Mean over tasks of the share of trials that passed, with its 95% interval.'
        : 'US dollars of a trial as billed, a mean over tasks, with its 95% interval.',
    drawing: shown.length === 0 ? null : drawIntervals(shown, axis, width),
    notes: [
      ...(shown.length === 0
        ? [what === 'success' ? 'Not drawn: no trial was graded.' : 'Not drawn: no cost is known.']
        : []),
      ...leftNote(known.length, shown.length),
      'Rows may have other tasks. Intervals that overlap do not show that rows are equal.',
    ],
  }
}

function timelineParts(
  timeline: readonly HistorySeries[],
  places: ReadonlyMap<string, number>,
  width?: number,
) {
  const labels = timeline.flatMap(({ lines }) => lines.map((line) => line.labels))
  const runs = [...new Map(labels.map((one) => [one.run, one])).values()].sort((a, b) =>
    `${a.created_at} ${a.run}` < `${b.created_at} ${b.run}` ? -1 : 1,
  )
  const newest = new Map(runs.map(({ run }, i) => [run, i + 1] as const).slice(-mostRuns))
  const noted = runs.filter(({ run, note }) => note && newest.has(run)).slice(-mostNotes)
  const shown = timeline.map(({ name, lines }) => ({
    ...{ name, lines: lines.filter((line) => newest.has(line.labels.run ?? '')) },
  }))
  const { notes, ...drawn } = curves(shown, places, {
    label: 'run, by time',
    at: (line) => newest.get(line.labels.run ?? '') ?? 0,
    format: String,
    width,
  })
  const more = runs.length > mostRuns ? `the ${mostRuns} newest of ` : ''
  return {
    title: `Run by run: ${more}${counted(runs.length, 'run')}`,
    subtitle: 'Success of each run with its 95% interval. Runs may have other tasks.',
    ...drawn,
    notes: [...notes, ...noted.map(({ run, note }) => `${newest.get(run ?? '')}: ${note}`)],
  }
}
