import { outcomeInterval } from './compare/outcome-difference.ts'
import { meanOf } from './numeric/moments.ts'
import type { RecordSums } from './rows.ts'
import { isMissing } from './tally.ts'
import { type ClusterNames, type Clusters, clustersOf } from './tasks/clusters.ts'
import type { Interval } from './tasks/interval.ts'
import { successValue, type TaskValue } from './tasks/task-value.ts'

/** What the wording makes of a method: its success with each wording, as shares. */
export interface MethodWordings {
  method: string
  mean: number
  lowest: { wording: string; success: number }
  highest: { wording: string; success: number }
}

/** Two methods: their difference A - B in success, averaged over the wordings, and with each of them. */
export interface PairWordings {
  a: string
  b: string
  /** With its 95% limits, by tasks or clusters. */
  mean: Interval
  lowest: number
  highest: number
  /** Wordings with which the difference has the sign of the mean one. */
  agreeing: number
}

/** How much of the differences in success is the wording's, on the tasks that were graded for every method with every wording. */
export interface Wordings {
  wordings: readonly string[]
  tasks: number
  methods: MethodWordings[]
  pairs: PairWordings[]
  /**
   * Shares of the sum of squares of the success of all rows: by the method, by the wording, and where the effect of a wording depends on
   * the method (two-way analysis of variance without replication). Null where all rows are equal, or there is one method.
   */
  shares: { method: number; wording: number; both: number } | null
}

/** Returns a builder that takes the differences in success of these methods apart, by these wordings. */
export function createWordings(
  methods: readonly string[],
  wordings: readonly string[],
  clusters: ClusterNames = {},
): RecordSums<Wordings | null> {
  const rows = new Map<string, Map<string, { passed: number; trials: number }>>()
  const nameOf = (method: string, wording: string | undefined) => JSON.stringify([method, wording])
  return {
    add(record) {
      const { method, agentSet, task, passed } = record
      if (passed === null || isMissing(record)) return
      const name = nameOf(method, agentSet)
      const tasks = rows.get(name) ?? new Map<string, { passed: number; trials: number }>()
      rows.set(name, tasks)
      const sum = tasks.get(task) ?? { passed: 0, trials: 0 }
      tasks.set(task, { passed: sum.passed + Number(passed), trials: sum.trials + 1 })
    },
    result() {
      const known = (method: string, wording: string) => rows.get(nameOf(method, wording))
      const all = methods.flatMap((method) => wordings.map((wording) => known(method, wording)))
      const tasks = [...(all[0]?.keys() ?? [])].filter((task) => all.every((row) => row?.has(task)))
      if (tasks.length === 0) return null
      const values = methods.map((method) =>
        wordings.map((wording) =>
          tasks.map((task) => {
            const { passed, trials } = known(method, wording)?.get(task) ?? { passed: 0, trials: 0 }
            return successValue(passed, trials, 0)
          }),
        ),
      )
      return takeApart(methods, wordings, values, clustersOf(tasks, clusters))
    },
  }
}

/** The values of each task, by method and wording. */
type Values = readonly (readonly (readonly TaskValue[])[])[]

function takeApart(
  methods: readonly string[],
  wordings: readonly string[],
  values: Values,
  clusters: Clusters | null,
): Wordings {
  const cells = values.map((row) => row.map((tasks) => meanOf(tasks.map(({ mean }) => mean ?? 0))))
  const ends = (row: readonly number[]) => {
    const [low, high] = [Math.min(...row), Math.max(...row)]
    const at = (success: number) => ({ wording: wordings[row.indexOf(success)] ?? '', success })
    return { lowest: at(low), highest: at(high) }
  }
  return {
    wordings,
    tasks: values[0]?.[0]?.length ?? 0,
    methods: methods.map((method, i) => {
      const row = cells[i] ?? []
      return { method, mean: meanOf(row), ...ends(row) }
    }),
    pairs: methods.flatMap((a, i) =>
      methods.slice(i + 1).map((b, next) => {
        const [one, other] = [i, i + 1 + next]
        const each = wordings.map((_, j) => (cells[one]?.[j] ?? 0) - (cells[other]?.[j] ?? 0))
        const [ours, theirs] = [one, other].map((at) => pooled(values[at] ?? []))
        const { estimate, lower, upper } = outcomeInterval(ours ?? [], theirs ?? [], 0.95, clusters)
        const sign = Math.sign(estimate ?? 0)
        return {
          ...{
            a,
            b,
            mean: { estimate, lower, upper },
            lowest: Math.min(...each),
            highest: Math.max(...each),
          },
          agreeing: each.filter((difference) => Math.sign(difference) === sign).length,
        }
      }),
    ),
    shares: sharesOf(cells),
  }
}

/** The values of each task over all wordings, which count alike. */
const pooled = (row: readonly (readonly TaskValue[])[]): TaskValue[] =>
  (row[0] ?? []).map((_, task) => {
    const means = row.map((tasks) => tasks[task]?.mean ?? 0)
    const trials = row.reduce((sum, tasks) => sum + (tasks[task]?.trials ?? 0), 0)
    return { mean: meanOf(means), trials, missing: 0, squares: 0 }
  })

function sharesOf(cells: readonly (readonly number[])[]): Wordings['shares'] {
  const [first = []] = cells
  if (cells.length < 2) return null
  const grand = meanOf(cells.flat())
  const squares = (effects: readonly number[]) => effects.reduce((sum, effect) => sum + effect ** 2, 0)
  const method = first.length * squares(cells.map((row) => meanOf(row) - grand))
  const wording = cells.length * squares(first.map((_, j) => meanOf(cells.map((row) => row[j] ?? 0)) - grand))
  const total = squares(cells.flat().map((cell) => cell - grand))
  if (total < 1e-12) return null
  const both = Math.max(0, total - method - wording)
  return { method: method / total, wording: wording / total, both: both / total }
}
