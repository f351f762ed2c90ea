import { skewedMargins } from '../analysis/numeric/margins.ts'
import type { Interval } from '../analysis/tasks/interval.ts'
import { taskMeanInterval } from '../analysis/tasks/mean-interval.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { type ColumnOf, dataColumn, textColumn } from '../reports/tables/table.ts'
import { formatCount, formatUsd, sumText } from '../reports/words/numbers.ts'
import { refOfVersion } from '../schema/run/task-version.ts'
import { UserError } from '../text/errors.ts'
import { confidence, groupRows, type HistoryLine, linesOf, runsOf } from './estimates.ts'
import type { FoundHistory } from './find-history.ts'
import { type OpenHistory, openHistory, type SqlRow, sqlOf } from './open-history.ts'
import { type Answer, costText, countColumn, intervalData, lineColumns, tablesByKind } from './tables.ts'

type Rows = readonly SqlRow[]

/** The queries by name. Each is the SQL file of its name. */
const queries = {
  agents: (rows: Rows, history: FoundHistory) =>
    ofLines('Success and cost by method and agents', byTrials(linesOf(rows, history))),
  cost: (rows: Rows) => costTables(rows),
  trend: (rows: Rows, history: FoundHistory) =>
    ofLines('Success and cost by week', byLabels(linesOf(rows, history))),
  weekly: (rows: Rows, history: FoundHistory) =>
    ofLines('All runs by week', byLabels(linesOf(rows, history))),
  runs: (rows: Rows, history: FoundHistory) => ofLines('Runs', byLabels(linesOf(rows, history))),
  task: (rows: Rows, history: FoundHistory) => ofLines('Runs of one task', byLabels(linesOf(rows, history))),
  best: (rows: Rows, history: FoundHistory) =>
    ofLines('Agents by role and state', ranked(linesOf(rows, history))),
  scores: (rows: Rows) => scoreTables(rows),
  // Too many rows to take one by one: see `exportTrials`.
  export: () => ({ tables: [], rows: [] }),
} satisfies Record<string, (rows: Rows, history: FoundHistory) => Answer>

/** A name of a query. */
export type QueryName = keyof typeof queries

/** The names of the queries. */
export const queryNames = Object.keys(queries) as QueryName[]

/** Returns the query of this name. Throws `UserError` for an unknown one. */
export function queryNamed(name: string): QueryName {
  const found = queryNames.find((known) => known === name)
  if (found === undefined)
    throw new UserError(
      unknownName(`bench history ${name}`, 'query', name, queryNames, 'bench history --help'),
    )
  return found
}

/** Throws `UserError` if no run of a history has this task. */
export function requireTask(task: string, { plans, runs }: FoundHistory): void {
  const known = new Set(Object.values(plans).flatMap((tasks) => tasks.map(({ ref }) => refOfVersion(ref))))
  if (runs.length === 0 || known.has(task)) return
  throw new UserError(
    unknownName(
      `bench history task ${task}`,
      'task in these runs',
      task,
      [...known].sort(),
      'bench show RUN',
    ),
  )
}

/** Answers a query over the runs of a history; `task` is the ref of the task of `task`. */
export async function answerQuery(name: QueryName, history: FoundHistory, task = ''): Promise<Answer> {
  if (history.runs.every(({ recorded }) => recorded === 0)) return { tables: [], rows: [] }
  const open = await openHistory(history)
  try {
    return queries[name](await runQuery(open, name, history, task), history)
  } finally {
    open.close()
  }
}

/** Returns every trial of a history, as CSV or as an array of JSON. */
export async function exportTrials(history: FoundHistory, format: 'csv' | 'json'): Promise<string> {
  if (history.runs.every(({ recorded }) => recorded === 0)) return format === 'csv' ? '' : '[]'
  const open = await openHistory(history)
  try {
    return await open.file(sqlOf('export'), format)
  } finally {
    open.close()
  }
}

/** The queries in which each trial is once. */
const wholeQueries: readonly QueryName[] = ['agents', 'trend', 'weekly', 'runs']

/** Returns the rows of a query. Throws `UserError` if DuckDB reads fewer records than bench, which would be a wrong number. */
export async function runQuery(
  open: OpenHistory,
  name: QueryName,
  { folder, runs }: FoundHistory,
  task = '',
): Promise<SqlRow[]> {
  const rows = await open.query(sqlOf(name), name === 'task' ? { task } : {})
  const found = rows.reduce((sum, row) => sum + Number(row.n_run), 0)
  const recorded = runs.reduce((sum, run) => sum + run.recorded, 0)
  if (!wholeQueries.includes(name) || found >= recorded) return rows
  throw new UserError({
    where: folder,
    what: `DuckDB reads ${found} of ${recorded} records`,
    fix: 'A run may have been removed meanwhile: call it again. If that does not help, please report this.',
  })
}

const overlap =
  'Rows whose intervals overlap may be equal: compare runs of the same tasks with bench compare. Rows of other tasks answer another question.'

function ofLines(title: string, lines: readonly HistoryLine[]): Answer {
  return {
    tables: tablesByKind(title, lines, lineColumns, [{ text: overlap }]),
    rows: lines.map(({ labels, runs, tasks, costPerTrial, summary }) => ({
      ...labels,
      ...{ runs, tasks, trials: summary.trials, success: summary.success, score: summary.score },
      cost: { ...summary.cost, interval: costPerTrial },
      ...{ costPerSuccess: summary.costPerSuccess, tokens: summary.tokens },
    })),
  }
}

const byTrials = (lines: readonly HistoryLine[]) =>
  byLabels(lines).sort((a, b) => b.summary.trials.run - a.summary.trials.run)

/** Returns lines by time where they have one, then by run and their other labels. */
export function byLabels(lines: readonly HistoryLine[]): HistoryLine[] {
  const keyOf = ({ labels }: HistoryLine) =>
    JSON.stringify([labels.created_at ?? labels.week ?? '', labels.run ?? '', labels])
  const keys = new Map(lines.map((line) => [line, keyOf(line)]))
  return [...lines].sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
}

/** Within a method and a place, the agents with the higher success first. */
function ranked(lines: readonly HistoryLine[]): HistoryLine[] {
  const place = ({ labels }: HistoryLine) => `${labels.method} ${labels.place}`
  const success = ({ summary }: HistoryLine) => summary.success.estimate ?? -1
  return byLabels(lines).sort((a, b) =>
    place(a) === place(b) ? success(b) - success(a) : place(a) < place(b) ? -1 : 1,
  )
}

const sumNames = ['trials', 'calls', 'cost_usd', 'unknown', 'input', 'output'] as const

interface CostLine {
  labels: HistoryLine['labels']
  runs: string[]
  sums: Record<(typeof sumNames)[number], number>
  /** US dollars of a trial, a mean over tasks. */
  perTrial: Interval
}

function perTrialOf(rows: Rows): Interval {
  const tasks = rows.map((row) => ({
    ...{ mean: Number(row.n_cost_usd) / Number(row.n_trials), trials: Number(row.n_trials) },
    ...{ missing: 0, squares: 0 },
  }))
  const { estimate, lower, upper } = taskMeanInterval(tasks, confidence, skewedMargins)
  const isKnown = rows.every((row) => row.n_unknown === 0)
  return isKnown ? { estimate, lower, upper } : { estimate: null, lower: null, upper: null }
}

function costTables(rows: Rows): Answer {
  const named = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        sumNames.some((sum) => sum === name) ? `n_${name}` : name,
        value,
      ]),
    ),
  )
  const lines = [...groupRows(named).values()]
    .map(({ labels, rows: own }): CostLine => {
      const sum = (name: string) => own.reduce((total, row) => total + Number(row[`n_${name}`]), 0)
      return {
        labels,
        runs: runsOf(own),
        sums: Object.fromEntries(sumNames.map((name) => [name, sum(name)])) as CostLine['sums'],
        perTrial: perTrialOf(own),
      }
    })
    .sort((a, b) => b.sums.cost_usd - a.sums.cost_usd)
  const columns: ColumnOf<CostLine>[] = [
    countColumn('runs', ({ runs }) => runs.length),
    countColumn('trials', ({ sums }) => sums.trials),
    countColumn('calls', ({ sums }) => sums.calls),
    textColumn('cost_text', ['cost', 'USD'], 'cost', ({ sums }) =>
      sumText(sums.cost_usd, sums.unknown, formatUsd),
    ),
    dataColumn('cost', 'USD', ({ sums }) => sums.cost_usd),
    textColumn('trial_text', ['of a trial', 'USD [95%]'], 'cost', ({ perTrial }) =>
      costText({ value: perTrial.estimate, lowerBound: false }, perTrial),
    ),
    ...intervalData('cost_per_trial', 'USD', ({ perTrial }: CostLine) => perTrial),
    dataColumn('calls_of_unknown_cost', '', ({ sums }) => sums.unknown),
    textColumn('tokens_text', ['tokens', ''], 'tokens', ({ sums }) => formatCount(sums.input + sums.output)),
    dataColumn('input_tokens', '', ({ sums }) => sums.input),
    dataColumn('output_tokens', '', ({ sums }) => sums.output),
  ]
  const note = {
    text: 'A row without a role has the whole bill of trials whose ledger is not there or does not fit their record.',
  }
  return {
    tables: tablesByKind('Cost by agent and role', lines, columns, [note]),
    rows: lines.map(({ labels, runs, sums, perTrial }) => ({ ...labels, runs, ...sums, perTrial })),
  }
}

interface ScoreLine {
  labels: HistoryLine['labels']
  runs: string[]
  scores: number
  mean: Interval
}

function scoreTables(rows: Rows): Answer {
  const named = rows.map(({ scores, mean, ...row }) => ({ ...row, n_scores: scores, n_mean: mean }))
  const lines = [...groupRows(named).values()].map(({ labels, rows: own }): ScoreLine => {
    const tasks = own.map((row) => ({
      mean: Number(row.n_mean),
      trials: Number(row.n_scores),
      missing: 0,
      squares: 0,
    }))
    const { estimate, lower, upper } = taskMeanInterval(tasks, confidence)
    const scores = tasks.reduce((sum, { trials }) => sum + trials, 0)
    return { labels, runs: runsOf(own), scores, mean: { estimate, lower, upper } }
  })
  const columns: ColumnOf<ScoreLine>[] = [
    countColumn('runs', ({ runs }) => runs.length),
    countColumn('scores', ({ scores }) => scores),
    textColumn('mean_text', ['mean', '1 to 10 [95%]'], 'score', ({ mean }) => scoreText(mean)),
    ...intervalData('mean', '', ({ mean }: ScoreLine) => mean),
  ]
  return {
    tables: tablesByKind('Scores by auditor, target and criterion', lines, columns, []),
    rows: lines.map(({ labels, runs, scores, mean }) => ({ ...labels, runs, scores, mean })),
  }
}

function scoreText({ estimate, lower, upper }: Interval): string {
  const text = (estimate ?? 0).toFixed(2)
  // A mean of scores is no more than 10 and no less than 1.
  return lower === null || upper === null
    ? text
    : `${text} [${Math.max(1, lower).toFixed(2)}, ${Math.min(10, upper).toFixed(2)}]`
}
