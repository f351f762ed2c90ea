import { breakableHtml, escapeHtml } from './html-text.ts'
import type { TrialRow } from './trial-data.ts'

/** What a grid shows of a trial. `ended`: it has a record, and its result must not be seen yet. `waiting`: it has none. */
export type GridMark = 'passed' | 'not passed' | 'not graded' | 'error' | 'ended' | 'waiting'

const signs: Readonly<Record<GridMark, string>> = {
  passed: '✓',
  'not passed': '✗',
  'not graded': '–',
  error: '!',
  ended: '●',
  waiting: '·',
}

/** A trial in a grid of tasks and methods. */
export interface GridTrial {
  id: string
  task: string
  /** Its method, with its set of agents if the run has several. */
  row: string
  epoch: number
  mark: GridMark
}

/** A grid of tasks and methods, with one mark an epoch. */
interface Grid {
  /** The tasks in the order of the grid. */
  tasks: readonly string[]
  /** The methods in the order of the columns. */
  rows: readonly string[]
  epochs: number
  trials: Iterable<GridTrial>
  /** Says of what kind its results are; empty for live ones. */
  evidence: string
  hrefOf(trial: string): string
  /** Returns a name for the place of a trial, by which a script finds it; absent: places have no names. */
  placeOf?: (task: string, row: string, epoch: number) => string
  /** Where the heading `apart` leads; absent: it sorts by script. */
  apartHref?: string
}

/** Returns the mark of a row of the page's table of trials. */
export const markOf = ({ outcome, passed }: Pick<TrialRow, 'outcome' | 'passed'>): GridMark =>
  outcome === 'error' || outcome === 'cancelled' ? 'error' : passed

const keyOf = (task: string, row: string) => `${task}\n${row}`

/**
 * Returns by task how many points lie between the method that passes most of its epochs and the one that passes fewest; null where fewer
 * than two methods were graded.
 */
export function apartOf(trials: Iterable<GridTrial>): Map<string, number | null> {
  const tasks = new Map<string, Map<string, { passed: number; graded: number }>>()
  for (const { task, row, mark } of trials) {
    const rows = tasks.get(task) ?? new Map<string, { passed: number; graded: number }>()
    tasks.set(task, rows)
    const own = rows.get(row) ?? { passed: 0, graded: 0 }
    rows.set(row, own)
    if (mark === 'passed') own.passed++
    if (mark === 'passed' || mark === 'not passed') own.graded++
  }
  return new Map(
    [...tasks].map(([task, rows]) => {
      const shares = [...rows.values()].flatMap(({ passed, graded }) => (graded > 0 ? passed / graded : []))
      if (shares.length < 2) return [task, null]
      return [task, Math.round(100 * (Math.max(...shares) - Math.min(...shares)))]
    }),
  )
}

/** Renders a grid: a line for each task, a column for each method, and in each cell a link for each epoch. */
export function gridHtml({ tasks, rows, epochs, trials, evidence, apartHref, ...links }: Grid): string {
  const cells = new Map<string, GridTrial[]>()
  const all = [...trials]
  for (const trial of all) {
    const key = keyOf(trial.task, trial.row)
    const own = cells.get(key)
    if (own) own.push(trial)
    else cells.set(key, [trial])
  }
  const apart = apartOf(all)
  const hasApart = rows.length > 1
  const heading = apartHref
    ? `<a href="${escapeHtml(apartHref)}">apart</a>`
    : '<button type="button" class="sort">apart</button>'
  const columns = rows.map((row) => `<th scope="col">${breakableHtml(row)}</th>`)
  const lines = tasks.map((task) => {
    const marks = rows.map((row) => cellHtml({ task, row, epochs, ...links }, cells.get(keyOf(task, row))))
    const points = hasApart ? `<td class="right">${apart.get(task) ?? '-'}</td>` : ''
    return `<tr><th scope="row">${breakableHtml(task)}</th>${points}${marks.join('')}</tr>`
  })
  return [
    '<div class="scroll grid" tabindex="0">',
    `<table class="sortable" id="grid"><caption>Tasks and methods${evidence}</caption>`,
    `<thead><tr><th scope="col">${apartHref ? 'task' : '<button type="button" class="sort">task</button>'}</th>${hasApart ? `<th scope="col" class="right">${heading}</th>` : ''}${columns.join('')}</tr></thead>`,
    `<tbody>\n${lines.join('\n')}\n</tbody></table></div>`,
    legendHtml(new Set(all.map(({ mark }) => mark))),
  ].join('\n')
}

/** Says what the marks of a grid mean, and how far apart its methods are. */
function legendHtml(marks: ReadonlySet<GridMark>): string {
  const told = (Object.keys(signs) as GridMark[]).filter((mark) => marks.has(mark) || mark === 'waiting')
  const items = told.map((mark) => `${markHtml(mark)} ${mark === 'waiting' ? 'no record' : mark}`)
  return `<p class="legend">A mark is an epoch, and opens its trial: ${items.join(' &nbsp; ')}. <b>apart</b>: points between the method that passes most and the one that passes fewest</p>`
}

/** Renders a mark with its sign, which stands for the colour as well. */
export const markHtml = (mark: GridMark) =>
  `<span class="mark" data-result="${mark}" aria-hidden="true">${signs[mark]}</span>`

function cellHtml(
  {
    task,
    row,
    epochs,
    hrefOf,
    placeOf,
  }: Pick<Grid, 'hrefOf' | 'placeOf'> & { task: string; row: string; epochs: number },
  trials: readonly GridTrial[] = [],
): string {
  const byEpoch = new Map(trials.map((trial) => [trial.epoch, trial]))
  const marks = Array.from({ length: epochs }, (_, at) => {
    const trial = byEpoch.get(at + 1)
    const mark = trial?.mark ?? 'waiting'
    const place = placeOf ? ` id="${escapeHtml(placeOf(task, row, at + 1))}"` : ''
    const label = `epoch ${at + 1}: ${mark === 'waiting' ? 'no record' : mark}`
    const link = trial ? ` href="${escapeHtml(hrefOf(trial.id))}"` : ''
    return `<a${place}${link} class="mark" data-result="${mark}" title="${label}" aria-label="${label}">${signs[mark]}</a>`
  })
  return `<td class="marks">${marks.join('')}</td>`
}
