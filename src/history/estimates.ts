import { emptyRow, type RowTally, summarizeRow } from '../analysis/method-row.ts'
import { skewedMargins } from '../analysis/numeric/margins.ts'
import { agentsLabel } from '../analysis/summarize.ts'
import type { MethodSummary } from '../analysis/summary.ts'
import { emptyTally } from '../analysis/tally.ts'
import { type ClusterNames, clustersOf } from '../analysis/tasks/clusters.ts'
import { clopperPearsonInterval, type Interval } from '../analysis/tasks/interval.ts'
import { taskMeanInterval } from '../analysis/tasks/mean-interval.ts'
import { valueAt } from '../base/grouping.ts'
import type { FoundHistory } from './find-history.ts'
import type { SqlRow } from './open-history.ts'

/** Level of every interval of a history. */
export const confidence = 0.95

/** One line of a history: what the rows of a query with the same labels come to. */
export interface HistoryLine {
  /** Texts by the names of the query's label columns; null: none. */
  labels: Readonly<Record<string, string | null>>
  /** Names of the runs that are in it, by time. */
  runs: string[]
  /** The estimates that `bench report` gives for the same records. */
  summary: Pick<
    MethodSummary,
    'trials' | 'success' | 'score' | 'cost' | 'costPerSuccess' | 'tokens' | 'iterations'
  >
  tasks: number
  /** US dollars of a trial as billed, a mean over tasks; no limits where the cost of a call is unknown. */
  costPerTrial: Interval
}

const isLabel = (name: string) => name !== 'task' && name !== 'runs' && !name.startsWith('n_')

/** Groups rows of tasks by their labels, in order of appearance. Agents by role become one text. */
export function groupRows(
  rows: readonly SqlRow[],
): Map<string, { labels: HistoryLine['labels']; rows: SqlRow[] }> {
  const groups = new Map<string, { labels: HistoryLine['labels']; rows: SqlRow[] }>()
  const names = Object.keys(rows[0] ?? {}).filter(isLabel)
  for (const row of rows) {
    const labels = names.map((name) => labelOf(name, row[name]))
    const group = valueAt(groups, JSON.stringify(labels), () => ({
      labels: Object.fromEntries(names.map((name, i) => [name, labels[i] ?? null])),
      rows: [],
    }))
    group.rows.push(row)
  }
  return groups
}

function labelOf(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  return name === 'agents' ? agentsLabel(JSON.parse(String(value))) : String(value)
}

/** Returns the lines of a query whose rows are sums over the trials of a task. */
export function linesOf(
  rows: readonly SqlRow[],
  { plans, runs }: Pick<FoundHistory, 'plans' | 'runs'>,
): HistoryLine[] {
  const clusters = clusterNamesOf(plans)
  return [...groupRows(rows).values()].map(({ labels, rows: own }) => {
    // A sum of dollars depends on its order in the last digit.
    own.sort((a, b) => (String(a.task) < String(b.task) ? -1 : 1))
    const tally = tallyOf(own)
    const summary = summarizeRow(tally, { confidence, planned: null, clusters })
    return {
      labels,
      runs: typeof labels.run === 'string' ? [labels.run] : byTime(new Set(runsOf(own)), runs),
      tasks: tally.tasks.size,
      costPerTrial: costOf(tally, clusters),
      summary: withOneTask(summary),
    }
  })
}

const byTime = (names: ReadonlySet<string>, runs: FoundHistory['runs']) =>
  runs.flatMap(({ run }) => (names.has(run) ? [run] : []))

/** Returns the runs that rows name. */
export const runsOf = (rows: readonly SqlRow[]): string[] =>
  [...new Set(rows.flatMap(({ runs }) => runs as string[]))].sort()

/** Returns the cluster of each task that states one. */
function clusterNamesOf(plans: FoundHistory['plans']): ClusterNames {
  return Object.fromEntries(
    Object.values(plans).flatMap((tasks) =>
      tasks.flatMap(({ ref, digest, cluster }) =>
        cluster === undefined
          ? []
          : [
              [ref, cluster],
              [`${ref}@${digest}`, cluster],
            ],
      ),
    ),
  )
}

/** The sums of a task that the views have. */
const summed = [
  ...(['run', 'missing', 'ended', 'graded', 'passed', 'scored', 'score', 'input', 'output'] as const),
  ...(['iterations', 'costUsd', 'gradedCost', 'pricedTrials', 'pricedCost', 'pricedPassed'] as const),
].map((name) => [name, `n_${name}`] as const)

function tallyOf(rows: readonly SqlRow[]): RowTally {
  const row = emptyRow('', '', null)
  for (const sums of rows) {
    const task = String(sums.task)
    const tally = row.tasks.get(task) ?? emptyTally(task)
    for (const [name, column] of summed) tally[name] += Number(sums[column])
    row.tasks.set(task, tally)
    row.outcomes.error += Number(sums.n_error)
    row.outcomes.cancelled += Number(sums.n_cancelled)
    row.bill.sum += Number(sums.n_bill)
    row.bill.partly ||= Number(sums.n_billPartly) > 0
    row.bill.known ||= Number(sums.n_billKnown) > 0
    row.unreported.costTrials += Number(sums.n_costUnknown)
    row.unreported.tokenTrials += Number(sums.n_tokensUnknown)
  }
  return row
}

/** An interval over tasks says nothing of one task, but its trials do. */
function withOneTask(summary: ReturnType<typeof summarizeRow>): ReturnType<typeof summarizeRow> {
  const { success, trials } = summary
  if (success.tasks !== 1 || trials.graded < 2) return summary
  const { lower, upper } = clopperPearsonInterval(trials.passed, trials.graded, confidence)
  return { ...summary, success: { ...success, lower, upper } }
}

function costOf({ tasks, unreported }: RowTally, clusters: ClusterNames): Interval {
  const ended = [...tasks.values()].filter((tally) => tally.ended > 0)
  const values = ended.map((tally) => ({
    mean: tally.costUsd / tally.ended,
    trials: tally.ended,
    missing: 0,
    squares: 0,
  }))
  const names = ended.map(({ task }) => task)
  const { estimate, lower, upper } = taskMeanInterval(
    values,
    confidence,
    skewedMargins,
    clustersOf(names, clusters),
  )
  return unreported.costTrials > 0 ? { estimate, lower: null, upper: null } : { estimate, lower, upper }
}
