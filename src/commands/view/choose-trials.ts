import { apartOf, type GridMark, type GridTrial } from '../../reports/html/grid.ts'
import type { ViewedRun } from './run-folders.ts'

/** Which trials of a run a page shows, as its address says. */
export interface TrialChoice {
  /** A text to find in names and texts. */
  q: string
  /** A part of the name of a task. */
  task: string
  /** A method, with its set of agents; empty: all. */
  method: string
  show: (typeof shows)[number]
  sort: (typeof sorts)[number]
  /** From 1. */
  page: number
}

/** Tasks on which methods differ, that not every trial passed, or with an error. */
export const shows = ['all', 'differ', 'failed', 'errors'] as const
/** The order of tasks: of the plan, or those first on which the methods are furthest apart. */
export const sorts = ['plan', 'apart'] as const

/** Reads the choice from the words of an address; what is none is left out. */
export function readChoice(query: Readonly<Record<string, string>>): TrialChoice {
  const text = (name: string) => (query[name] ?? '').slice(0, 200)
  return {
    ...{ q: text('q'), task: text('task'), method: text('method') },
    show: shows.find((one) => one === query.show) ?? 'all',
    sort: sorts.find((one) => one === query.sort) ?? 'plan',
    page: Math.max(1, Math.min(1e6, Math.trunc(Number(query.page)) || 1)),
  }
}

/** Returns the address of a run. */
export const hrefOfRun = (name: string): string => `/runs/${encodeURIComponent(name)}`

/** Returns the words of an address for a choice with some changes, without those that are usual. */
export function choiceQuery(choice: TrialChoice, changes: Partial<TrialChoice> = {}): string {
  const words = { ...choice, ...changes }
  const usual = { show: 'all', sort: 'plan', page: 1 } as const
  const pairs = Object.entries(words).filter(
    ([name, value]) => value !== '' && value !== usual[name as keyof typeof usual],
  )
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))
  return pairs.length === 0 ? '' : `?${query}`
}

/** The trials that a page shows. */
export interface ChosenTrials {
  /** The tasks of this page, and of all pages. */
  tasks: string[]
  all: string[]
  pages: number
  rows: string[]
  epochs: number
  /** The trials of the tasks of this page, with the marks that may be seen. */
  trials: GridTrial[]
}

/** A page has about so many marks, and at least and at most so many tasks. */
const [usualMarks, fewestTasks, mostTasks] = [2000, 10, 100]

/** Returns what may be seen of a trial: of a run that is shut, that it has ended. */
export const seenMark = (run: Pick<ViewedRun, 'isShut'>, mark: GridMark): GridMark =>
  run.isShut && mark !== 'error' ? 'ended' : mark

/** Chooses the trials of a page. `found`: the trials that hold the text of `q`. */
export function chooseTrials(
  run: ViewedRun,
  choice: TrialChoice,
  found: ReadonlySet<string> | undefined,
): ChosenTrials {
  const { manifest, index } = run
  const rows = run.rows.filter((row) => choice.method === '' || row === choice.method)
  const shown = [...index.heads.values()].map((head) => ({ ...head, mark: seenMark(run, head.mark) }))
  const byTask = new Map<string, GridTrial[]>(manifest.tasks.map(({ ref }) => [ref, []]))
  for (const trial of shown) {
    if (!rows.includes(trial.row)) continue
    const own = byTask.get(trial.task)
    if (own) own.push(trial)
    else byTask.set(trial.task, [trial])
  }
  const all = [...byTask.keys()].filter(
    (task) =>
      holds(task, choice.task) && fits(byTask.get(task) ?? [], choice.show) && isFound(task, choice.q),
  )
  function isFound(task: string, q: string): boolean {
    if (q === '' || holds(task, q)) return true
    return (byTask.get(task) ?? []).some(({ id }) => found?.has(id) || id.startsWith(q.toLowerCase()))
  }
  if (choice.sort === 'apart') {
    const apart = apartOf([...byTask.values()].flat())
    const order = new Map(all.map((task, at) => [task, at]))
    const points = (task: string) => apart.get(task) ?? -1
    all.sort((a, b) => points(b) - points(a) || Number(order.get(a)) - Number(order.get(b)))
  }
  const epochs = shown.reduce((most, { epoch }) => Math.max(most, epoch), manifest.epochs)
  const marks = Math.max(1, rows.length * epochs)
  const size = Math.max(fewestTasks, Math.min(mostTasks, Math.floor(usualMarks / marks)))
  const pages = Math.max(1, Math.ceil(all.length / size))
  const page = Math.min(choice.page, pages)
  const tasks = all.slice((page - 1) * size, page * size)
  return { tasks, all, pages, rows, epochs, trials: tasks.flatMap((task) => byTask.get(task) ?? []) }
}

const holds = (name: string, part: string) => name.toLowerCase().includes(part.toLowerCase())

function fits(trials: readonly GridTrial[], show: TrialChoice['show']): boolean {
  if (show === 'all') return true
  if (show === 'errors') return trials.some(({ mark }) => mark === 'error')
  if (show === 'failed') return trials.some(({ mark }) => mark === 'not passed' || mark === 'error')
  return [...apartOf(trials).values()].some((points) => points !== null && points > 0)
}

/** Returns the trials before and behind one, in the order of the grid: by task, method and epoch. */
export function neighboursOf({ tasks, rows, trials }: ChosenTrials, id: string) {
  const place = ({ task, row, epoch }: GridTrial) =>
    (tasks.indexOf(task) * rows.length + rows.indexOf(row)) * 1e6 + epoch
  const order = trials.map((trial) => ({ id: trial.id, at: place(trial) })).sort((a, b) => a.at - b.at)
  const at = order.findIndex((trial) => trial.id === id)
  return at < 0 ? {} : { previous: order[at - 1]?.id, next: order[at + 1]?.id, at: at + 1, of: order.length }
}
