import { rowName } from '../../schema/agent/agent-set.ts'
import { peopleOf, type TrialRecord } from '../../schema/ledger/record.ts'
import { boundName } from '../method-row.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { type GradedSums, type GradedTask, gradedTask } from '../ratios/known-price.ts'
import type { Refusal } from '../refusal.ts'
import { createMixGuard, createRows, type MixGuard, type RowName } from '../rows.ts'
import { agentsLabel } from '../summarize.ts'
import { addEpoch, isMissing, knownListCost, listCostPart, type SeenEpochs } from '../tally.ts'
import type { Clusters } from '../tasks/clusters.ts'
import { addTrial, emptySums, type TaskValue, type TrialSums, taskValue } from '../tasks/task-value.ts'
import type { Outcome, Spent } from './comparison.ts'

/** One method with one set of agents: sums over its trials by task. */
export interface ComparisonRow extends RowName {
  cells: Map<string, Cell>
  /** Number of trials in which people took part. */
  touched?: number
}

/** How values of tasks are compared. */
export interface TaskTests {
  tasks: readonly string[]
  /** The clusters of the tasks; null: each task is a unit. */
  clusters: Clusters | null
  outcome: Outcome
  confidence: number
  seed: number
  /** Why nothing is tested; null: tests are made. */
  notTested: Refusal | null
}

/** Data of a comparison: a few sums per method and task, never a record. */
export interface ComparisonData {
  /** Throws `UserError` for a trial that occurs twice, simulated records among live ones, and different injected faults. */
  add(record: TrialRecord): void
  rows(): ComparisonRow[]
  suites: ReadonlyMap<string, string>
  /** Tasks whose tests ran in the solution's process. */
  oneProcess: ReadonlySet<string>
  mix: MixGuard
}

/** Returns the data of no records; a run adds its records while it works. */
export function createComparisonData(): ComparisonData {
  const rows = createRows<ComparisonRow>((method, agents, set) => ({
    method,
    agents,
    set,
    cells: new Map<string, Cell>(),
  }))
  const suites = new Map<string, string>()
  const oneProcess = new Set<string>()
  const mix = createMixGuard()
  return {
    add(record) {
      mix.add(record)
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      let cell = row.cells.get(record.task)
      if (!cell) {
        cell = emptyCell()
        row.cells.set(record.task, cell)
        suites.set(record.task, record.suite)
      }
      addToCell(cell, record)
      if (record.scores.some((score) => score.oneProcess)) oneProcess.add(record.task)
      if (peopleOf(record)) row.touched = (row.touched ?? 0) + 1
    },
    rows: rows.all,
    suites,
    oneProcess,
    mix,
  }
}

/** Measures that are summed over trials, with their index among the sums. */
const places: Record<Outcome | Spent, number> = { success: 0, score: 1, tokens: 2, costUsd: 3, durationMs: 4 }
const measures = Object.keys(places).length

interface Cell extends SeenEpochs {
  run: number
  sums: TrialSums
  /** Over all graded trials, with the known part of their cost; all costs of a comparison are at uncached list prices. */
  graded: GradedSums
  /** Over the graded trials with a known cost. */
  priced: GradedSums
}

function emptyCell(): Cell {
  return {
    upTo: 0,
    beyond: null,
    run: 0,
    sums: emptySums(measures),
    graded: { trials: 0, cost: 0, success: 0 },
    priced: { trials: 0, cost: 0, success: 0 },
  }
}

function addToCell(cell: Cell, record: TrialRecord): void {
  const { sums, graded, priced } = cell
  addEpoch(cell, record)
  cell.run++
  if (isMissing(record)) {
    for (let measure = 0; measure < measures; measure++) addTrial(sums, measure, null)
    return
  }
  const cost = knownListCost(record)
  const { spent, passed } = record
  addTrial(sums, places.tokens, spent.unreportedTokens > 0 ? null : spent.input + spent.output)
  addTrial(sums, places.costUsd, cost)
  addTrial(sums, places.durationMs, record.durationMs)
  if (passed === null) {
    // A task without graders has no verdicts; one of another harness should have them.
    if (record.imported)
      for (const outcome of ['success', 'score'] as const) addTrial(sums, places[outcome], null)
    return
  }
  addTrial(sums, places.success, passed ? 1 : 0)
  if (record.score !== null) addTrial(sums, places.score, record.score)
  addGraded(graded, listCostPart(record) ?? 0, passed)
  if (cost !== null) addGraded(priced, cost, passed)
}

function addGraded(sums: GradedSums, cost: number, passed: boolean): void {
  sums.trials++
  sums.cost += cost
  if (passed) sums.success++
}

/** Returns one measure over the trials of a cell; without a cell, the value of no trials. */
export function cellValue(cell: Cell | undefined, of: Outcome | Spent): TaskValue {
  return taskValue(cell?.sums ?? emptySums(measures), places[of])
}

function gradedTaskOf({ graded, priced }: Cell): GradedTask | null {
  return gradedTask(graded, priced)
}

/** Returns the rows without bounds (oracle, no-op), or all rows if there are only bounds. */
export function dropBounds(rows: readonly ComparisonRow[]): readonly ComparisonRow[] {
  const competing = rows.filter(({ agents }) => boundName(agents) === undefined)
  return competing.length > 0 ? competing : rows
}

/**
 * Sorts rows by method, then by set of agents, and gives each the label that tables print. If a method ran with several
 * agents outside of named sets, its labels have the agents in brackets.
 */
export function labelRows(
  rows: readonly ComparisonRow[],
  methods: readonly string[],
  sets: readonly string[] = [],
) {
  const place = (name: string | null, names: readonly string[]) =>
    name !== null && names.includes(name) ? names.indexOf(name) : names.length
  const name = ({ method, set, agents }: ComparisonRow) => `${method}\n${set ?? ''}\n${agents}`
  return rows
    .toSorted(
      (a, b) =>
        place(a.method, methods) - place(b.method, methods) ||
        place(a.set, sets) - place(b.set, sets) ||
        (name(a) < name(b) ? -1 : 1),
    )
    .map((row) => {
      const own = rowName(row.method, row.set)
      const alone = rows.filter(({ method, set }) => method === row.method && set === row.set).length === 1
      return { ...row, label: alone ? own : `${own} (${row.agents})` }
    })
}

/** Values of one method with one set of agents; every list follows the order of the comparison's tasks. */
export interface MethodTasks {
  label: string
  method: string
  agents: string
  set: string | null
  values: Record<Outcome | Spent, TaskValue[]>
  graded: (GradedTask | null)[]
  /** Number of records of each task. */
  run: number[]
}

const measured = ['success', 'score', 'tokens', 'costUsd', 'durationMs'] as const

/** Returns a method's values in the order of the tasks. Planned epochs without a record are missing. */
export function methodTasks(
  method: Pick<MethodTasks, 'label' | 'method' | 'agents' | 'set'>,
  cells: ReadonlyMap<string, Cell>,
  tasks: readonly string[],
  epochs: number,
): MethodTasks {
  const rows = tasks.map((task) => cells.get(task))
  const run = rows.map((cell) => cell?.run ?? 0)
  const value = (of: Outcome | Spent) =>
    rows.map((cell, index): TaskValue => {
      const known = cellValue(cell, of)
      return { ...known, missing: known.missing + Math.max(0, epochs - (run[index] as number)) }
    })
  const values = Object.fromEntries(measured.map((of) => [of, value(of)])) as MethodTasks['values']
  return { ...method, values, graded: rows.map((cell) => (cell ? gradedTaskOf(cell) : null)), run }
}

/**
 * Returns the pairs of a family as indexes of rows: each pair once, A before B as in the list, except that the baseline is
 * always B. With several sets of agents a pair differs in one thing: two methods with the same set, or one method with two
 * sets. The family against the baseline has no pair of the latter kind.
 */
export function pairPlaces(
  rows: readonly { method: string; set?: string | null }[],
  family: 'all-pairs' | 'baseline',
  baseline: string | null,
): PlacePair[] {
  const isBase = (place: number) => rows[place]?.method === baseline
  const differInOne = ([a, b]: PlacePair) =>
    rows[a]?.set === rows[b]?.set || rows[a]?.method === rows[b]?.method
  return rows
    .flatMap((_, a) => rows.slice(a + 1).map((_, next): PlacePair => [a, a + 1 + next]))
    .filter(differInOne)
    .map(([a, b]): PlacePair => (isBase(a) && !isBase(b) ? [b, a] : [a, b]))
    .filter(([a, b]) => family === 'all-pairs' || (isBase(b) && !isBase(a)))
}

/** Returns the number of pairs of such a family, from the numbers of methods and of sets of agents. */
export function pairCount(family: 'all-pairs' | 'baseline', methods: number, sets: number): number {
  const two = (many: number) => (many * (many - 1)) / 2
  return family === 'baseline' ? sets * Math.max(0, methods - 1) : sets * two(methods) + methods * two(sets)
}
