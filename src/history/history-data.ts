import { type Kind, kinds } from '../analysis/evidence.ts'
import { groupBy } from '../base/grouping.ts'
import { type HistoryLine, linesOf } from './estimates.ts'
import { findHistory } from './find-history.ts'
import { openHistory } from './open-history.ts'
import { byLabels, runQuery } from './queries.ts'
import { historyNotes } from './words.ts'

/** A method with its agents, by time. */
export interface HistorySeries {
  name: string
  lines: HistoryLine[]
}

/** What the charts show of the rows that may stand beside each other: those of one kind, with the same faults. */
export interface HistoryGroup {
  kind: Kind
  faults: string | null
  profiles: string[]
  /** Success by week. */
  trend: HistorySeries[]
  /** Each method with its agents over all runs, those with most trials first: success, and cost. */
  rows: HistorySeries[]
  /** Run by run. */
  timeline: HistorySeries[]
  /** The runs with their methods, the newest first. */
  recent: HistoryLine[]
}

/** The data of the charts. Plain data. */
export interface HistoryData {
  folder: string
  runs: number
  /** What a reader must know of the runs, in sentences. */
  notes: string[]
  groups: HistoryGroup[]
}

/** Reads the data of the charts from all runs in a folder. Throws `UserError` if DuckDB is not installed, or like `findHistory`. */
export async function historyData(folder: string): Promise<HistoryData> {
  const history = findHistory(folder)
  const { runs } = history
  const data = { folder, runs: runs.length, notes: historyNotes(history) }
  if (runs.every(({ recorded }) => recorded === 0)) return { ...data, groups: [] }
  const open = await openHistory(history)
  try {
    await open.keep()
    const read = async (name: 'agents' | 'trend' | 'runs') =>
      byLabels(linesOf(await runQuery(open, name, history), history))
    const [rows, trend, byRun] = [await read('agents'), await read('trend'), await read('runs')]
    const groups = [...groupBy(rows, groupOf)].map(([group, own]): HistoryGroup => {
      const { kind, faults = null } = own[0]?.labels ?? {}
      const inGroup = (lines: readonly HistoryLine[]) => lines.filter((line) => groupOf(line) === group)
      return {
        ...{ kind: kinds.find((known) => known === kind) ?? 'live', faults },
        profiles: [...new Set(runs.flatMap((run) => (run.kind === kind ? (run.profile ?? []) : [])))],
        trend: seriesOf(inGroup(trend)),
        rows: seriesOf(own).sort((a, b) => trialsOf(b) - trialsOf(a)),
        timeline: seriesOf(inGroup(byRun)),
        recent: inGroup(byRun).reverse(),
      }
    })
    return { ...data, groups: groups.sort((a, b) => kinds.indexOf(b.kind) - kinds.indexOf(a.kind)) }
  } finally {
    open.close()
  }
}

const groupOf = ({ labels }: HistoryLine) => JSON.stringify([labels.kind, labels.faults])

const seriesOf = (lines: readonly HistoryLine[]): HistorySeries[] =>
  [...groupBy(lines, nameOf)].map(([name, own]) => ({ name, lines: own }))

function nameOf({ labels: { method, agent_set, agents } }: HistoryLine): string {
  return `${agent_set ? `${method}@${agent_set}` : method}, ${agents}`
}

const trialsOf = ({ lines }: HistorySeries) => lines.reduce((sum, { summary }) => sum + summary.trials.run, 0)
