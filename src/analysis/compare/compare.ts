import type { TrialRecord } from '../../schema/record.ts'
import { createMixGuard, type MixGuard } from '../mix-guard.ts'
import type { PlacePair } from '../resampling/pair-flips.ts'
import { agentsLabel } from '../summarize.ts'
import { addToCell, type Cell, emptyCell } from './collect.ts'
import { comparePairs } from './compare-pairs.ts'
import type { Comparison, Outcome } from './comparison.ts'
import { frontierOf } from './frontier-of.ts'
import { methodEstimates } from './method-estimates.ts'
import { type MethodTasks, methodTasks } from './method-tasks.ts'

/** What is to be compared, fixed before the run. */
export interface CompareOptions {
  /** All pairs (the default), or each method against the baseline. */
  family?: 'all-pairs' | 'baseline'
  /** Label of the method that is B, the baseline, in each of its pairs. */
  baseline?: string | null
  /** The primary outcome; success. */
  outcome?: Outcome
  /** The difference that still counts as no worse, in the outcome's unit, above 0; none. */
  margin?: number | null
  /** Labels in the order of the rows; others follow by name. */
  methods?: readonly string[]
  /** Planned epochs of each task: those without a record are missing. */
  epochs?: number
  /** 0.95; tests are at 1 - confidence. */
  confidence?: number
  /** Resamples of tasks for the frontier's membership; 10,000. */
  resamples?: number
  /** 1. */
  seed?: number
  /** Tests simulated numbers too: to measure how often the procedures are wrong, never to compare methods. */
  calibration?: boolean
}

/** Takes records one by one, in any order; `result` may be asked for at any time. */
export interface ComparisonBuilder {
  /** Throws `UserError` on a trial that occurs twice, and on simulated records among live ones or with other faults. */
  add(record: TrialRecord): void
  result(): Comparison
}

interface Row {
  method: string
  agents: string
  cells: Map<string, Cell>
}

/** Compares methods on the tasks of the records. Keeps a few sums per method and task, never a record. */
export function createComparison(options: CompareOptions = {}): ComparisonBuilder {
  const rows = new Map<string, Row>()
  const mix = createMixGuard()
  return {
    add(record) {
      mix.add(record)
      const agents = agentsLabel(record.agents)
      const key = `${record.method}\n${agents}`
      const row = rows.get(key) ?? { method: record.method, agents, cells: new Map<string, Cell>() }
      rows.set(key, row)
      const cell = row.cells.get(record.task) ?? emptyCell()
      row.cells.set(record.task, cell)
      addToCell(cell, record)
    },
    result: () => comparison([...rows.values()], mix, options),
  }
}

function comparison(rows: readonly Row[], mix: MixGuard, options: CompareOptions): Comparison {
  const { family = 'all-pairs', baseline = null, outcome = 'success', margin = null } = options
  const { confidence = 0.95, resamples = 10_000, seed = 1, calibration = false } = options
  const simulated = mix.simulated()
  const inference = calibration || !simulated
  // Whatever order the records came in, the same tasks are drawn.
  const tasks = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].sort()
  const methods = inOrder(rows, options.methods ?? []).map((row) =>
    methodTasks({ ...row, label: labelOf(row, rows) }, row.cells, tasks, options.epochs ?? 0),
  )
  const places = pairPlaces(methods, family, baseline)
  const pairs = comparePairs(methods, places, { tasks, outcome, confidence, margin, seed, inference })
  const frontier = (spent: 'tokens' | 'costUsd') =>
    frontierOf(methods, outcome, spent, { resamples, seed: `frontier/${seed}`, words: inference })
  return {
    confidence,
    outcome,
    family: { kind: family, baseline, size: pairs.filter(({ adjustedP }) => adjustedP !== null).length },
    margin,
    resamples,
    seed,
    simulated,
    faults: mix.faults(),
    tasks,
    methods: methods.map((method) => methodEstimates(method, tasks, { confidence, outcome })),
    pairs,
    frontiers: { tokens: frontier('tokens'), costUsd: frontier('costUsd') },
  }
}

function labelOf({ method, agents }: Row, rows: readonly Row[]): string {
  return rows.filter((row) => row.method === method).length === 1 ? method : `${method} (${agents})`
}

function inOrder(rows: readonly Row[], methods: readonly string[]): Row[] {
  const place = ({ method }: Row) => (methods.includes(method) ? methods.indexOf(method) : methods.length)
  const name = ({ method, agents }: Row) => `${method}\n${agents}`
  return [...rows].sort((a, b) => place(a) - place(b) || (name(a) < name(b) ? -1 : 1))
}

/** Each pair once, A before B in the rows, but for the baseline, which is always B. */
function pairPlaces(
  methods: readonly MethodTasks[],
  family: 'all-pairs' | 'baseline',
  baseline: string | null,
): PlacePair[] {
  const isBase = (place: number) => methods[place]?.method === baseline
  return methods
    .flatMap((_, a) => methods.slice(a + 1).map((_, next): PlacePair => [a, a + 1 + next]))
    .map(([a, b]): PlacePair => (isBase(a) && !isBase(b) ? [b, a] : [a, b]))
    .filter(([a, b]) => family === 'all-pairs' || (isBase(b) && !isBase(a)))
}
