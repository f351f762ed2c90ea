import type { GraphEvent, GraphTrace } from '../../schema/ledger/graph-event.ts'
import { formatMs } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'

const idWidth = 34
const barWidth = 36

/** One row of a timeline; a skipped step has no times, and one that runs has no end. */
interface Row {
  id: string
  start?: number
  end?: number
  status: 'done' | 'failed' | 'skipped' | 'running'
}

/** Renders the timeline of a graph as text, at most 100 columns wide: a row for each step, in the order in which they began. */
export function graphTimeline({ path, events }: GraphTrace): string {
  const rows = rowsOf(events)
  const times = rows.flatMap(({ start = 0, end = start, status }) =>
    status === 'skipped' ? [] : [start, end],
  )
  const from = Math.min(...times)
  const to = Math.max(...times)
  const width = Math.min(idWidth, Math.max(...rows.map(({ id }) => safeLine(id).length)))
  const heading = safeLine(`Timeline of ${path}  ${rows.length} steps, ${formatMs(from)} to ${formatMs(to)}`)
  return [heading, ...rows.map((row) => `  ${rowText(row, width, { from, to })}`)].join('\n')
}

function rowText({ id, start, end, status }: Row, width: number, span: { from: number; to: number }): string {
  const name = shortId(safeLine(id), width).padEnd(width)
  if (start === undefined) return `${name}  ${' '.repeat(barWidth)}  ${status}`
  const until = end ?? span.to
  const times = end === undefined ? `${formatMs(start)} -` : `${formatMs(start)} - ${formatMs(end)}`
  const mark = { done: '█', failed: '▒', running: '░', skipped: ' ' }[status]
  return `${name}  ${bar(start, until, span, mark)}  ${status === 'done' ? times : `${times} ${status}`}`
}

/** A step of no duration still has a mark. */
function bar(start: number, end: number, { from, to }: { from: number; to: number }, mark: string): string {
  const column = (at: number) => (to === from ? 0 : ((at - from) / (to - from)) * barWidth)
  const first = Math.min(Math.floor(column(start)), barWidth - 1)
  const length = Math.max(1, Math.round(column(end)) - first)
  return `${' '.repeat(first)}${mark.repeat(Math.min(length, barWidth - first))}`.padEnd(barWidth)
}

/** Cuts an id in its middle: its beginning names the pattern, its end the step. */
function shortId(id: string, width: number): string {
  if (id.length <= width) return id
  const end = Math.ceil((width - 1) / 2)
  return `${id.slice(0, width - 1 - end)}…${id.slice(id.length - end)}`
}

function rowsOf(events: readonly GraphEvent[]): Row[] {
  const rows = new Map<string, Row>()
  for (const event of events) {
    const { type, step: id, at } = event
    if (type === 'StepStart') rows.set(id, { id, start: at, status: 'running' })
    else if (type === 'StepSkip') rows.set(id, { id, status: 'skipped' })
    else if (type === 'StepEnd' || type === 'StepFail') {
      const row = rows.get(id)
      if (row) Object.assign(row, { end: at, status: type === 'StepEnd' ? 'done' : 'failed' })
    }
  }
  return [...rows.values()].sort(
    (a, b) => (a.start ?? Number.POSITIVE_INFINITY) - (b.start ?? Number.POSITIVE_INFINITY),
  )
}
