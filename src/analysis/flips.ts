import type { TrialRecord } from '../schema/ledger/record.ts'
import { createRows, type RowName } from './rows.ts'
import { agentsLabel } from './summarize.ts'
import { isMissing } from './tally.ts'
import type { ClusterNames } from './tasks/clusters.ts'

/**
 * The side of a method on a task: it solves the task if more than half of its planned trials passed, and fails it if more than
 * half failed. `tie`: half and half, on neither side. `untestable`: missing trials could turn the side.
 */
type Side = 'solves' | 'fails' | 'tie' | 'untestable'

/** The trials of one method on one task. */
export interface TaskTrials {
  side: Side
  /** Trials that passed, of those with a grade; and planned trials without a grade, which are not failed ones. */
  passed: number
  graded: number
  missing: number
  /** Ids in the order of the epochs in the records; a planned trial that did not run has none. */
  trials: TrialIds
}

/** Ids of trials by their results. */
type TrialIds = Record<'passed' | 'failed' | 'missing', string[]>

/** A task with what it belongs to; `cluster` is absent if the task states none. */
export interface NamedTask {
  task: string
  suite: string
  cluster?: string
}

/** A task under two methods. */
export interface TaskOfPair extends NamedTask {
  a: TaskTrials
  b: TaskTrials
}

/** A task that a method passed in some graded trials and failed in others. */
export type FlakyTask = NamedTask & TaskTrials

/** One method: tasks by its side, planned trials without a grade, and its flaky tasks, the most even ones first. */
export interface MethodSides {
  label: string
  solved: number
  failed: number
  ties: number
  untestable: number
  missing: number
  /** Tasks with two graded trials or more: only these can be flaky. */
  repeated: number
  flaky: FlakyTask[]
}

/** Two methods: numbers of tasks on which they agree, and the tasks that changed sides, the clearest ones first. */
export interface PairSides {
  a: string
  b: string
  both: number
  neither: number
  onlyA: TaskOfPair[]
  onlyB: TaskOfPair[]
  /** Tasks with a tie of one method or of both. */
  ties: TaskOfPair[]
  /** Number of tasks of which the side of one method or of both is unknown. */
  untestable: number
  /** Tasks on which one passed a higher share of its graded trials than the other, whatever their sides. */
  higherA: string[]
  higherB: string[]
}

/** Tasks that change sides between methods and within them. Plain data. */
export interface Flips {
  /** Number of tasks with a record of one of the methods. */
  tasks: number
  methods: MethodSides[]
  pairs: PairSides[]
}

/** What sides are computed of: the rows with their planned epochs, and the pairs by the labels of the rows. */
interface FlipsOptions {
  methods: readonly (RowName & { label: string; epochs: number })[]
  pairs: readonly { a: string; b: string }[]
  clusters: ClusterNames
}

/** Returns a builder of the sides of methods on tasks. It keeps the id of each trial, so it is made only where it is wanted. */
export function createFlips() {
  const rows = createRows((method, agents, set) => ({
    ...{ method, agents, set },
    cells: new Map<string, TrialIds>(),
  }))
  const suites = new Map<string, string>()
  return {
    add(record: TrialRecord): void {
      const { cells } = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      const ids = cells.get(record.task) ?? { passed: [], failed: [], missing: [] }
      cells.set(record.task, ids)
      ids[resultOf(record)].push(record.trial)
      suites.set(record.task, record.suite)
    },
    result({ methods, pairs, clusters }: FlipsOptions): Flips {
      const known = methods.map((method) => ({
        ...method,
        ...rows.of(method.method, method.agents, method.set),
      }))
      const tasks = [...new Set(known.flatMap(({ cells }) => [...cells.keys()]))].toSorted()
      const named = tasks.map((task): NamedTask => {
        const cluster = clusters[task]
        return { task, suite: suites.get(task) as string, ...(cluster !== undefined && { cluster }) }
      })
      const sides = new Map(
        known.map(({ label, cells, epochs }) => [
          label,
          tasks.map((task) => trialsOf(cells.get(task), epochs)),
        ]),
      )
      const of = (label: string) => sides.get(label) as TaskTrials[]
      return {
        tasks: tasks.length,
        methods: methods.map(({ label }) => sidesOf(label, named, of(label))),
        pairs: pairs.map(({ a, b }) => ({ a, b, ...pairSides(named, of(a), of(b)) })),
      }
    },
  }
}

function resultOf(record: TrialRecord): keyof TrialIds {
  if (isMissing(record) || record.passed === null) return 'missing'
  return record.passed ? 'passed' : 'failed'
}

function trialsOf(trials: TrialIds = { passed: [], failed: [], missing: [] }, epochs: number): TaskTrials {
  const [passed, failed] = [trials.passed.length, trials.failed.length]
  const graded = passed + failed
  const missing = trials.missing.length + Math.max(0, epochs - graded - trials.missing.length)
  return { side: sideOf(passed, failed, missing), passed, graded, missing, trials }
}

function sideOf(passed: number, failed: number, missing: number): Side {
  const half = (passed + failed + missing) / 2
  if (passed > half) return 'solves'
  if (failed > half) return 'fails'
  return missing === 0 && passed > 0 ? 'tie' : 'untestable'
}

function sidesOf(label: string, names: readonly NamedTask[], tasks: readonly TaskTrials[]): MethodSides {
  const count = (side: Side) => tasks.filter((task) => task.side === side).length
  const evenness = ({ passed, graded }: TaskTrials) => Math.min(passed, graded - passed) / graded
  return {
    label,
    solved: count('solves'),
    failed: count('fails'),
    ties: count('tie'),
    untestable: count('untestable'),
    missing: tasks.reduce((sum, { missing }) => sum + missing, 0),
    repeated: tasks.filter(({ graded }) => graded > 1).length,
    flaky: tasks
      .flatMap((task, index): FlakyTask[] =>
        task.passed > 0 && task.passed < task.graded ? [{ ...(names[index] as NamedTask), ...task }] : [],
      )
      .sort((one, other) => evenness(other) - evenness(one)),
  }
}

function pairSides(
  names: readonly NamedTask[],
  ours: readonly TaskTrials[],
  theirs: readonly TaskTrials[],
): Omit<PairSides, 'a' | 'b'> {
  const found: Omit<PairSides, 'a' | 'b'> = {
    ...{ both: 0, neither: 0, onlyA: [], onlyB: [], ties: [], untestable: 0, higherA: [], higherB: [] },
  }
  for (const [index, name] of names.entries()) {
    const [a, b] = [ours[index] as TaskTrials, theirs[index] as TaskTrials]
    const sides = [a.side, b.side]
    const gap = shareGap({ a, b })
    if (gap !== 0) found[gap > 0 ? 'higherA' : 'higherB'].push(name.task)
    if (sides.includes('untestable')) found.untestable++
    else if (sides.includes('tie')) found.ties.push({ ...name, a, b })
    else if (a.side !== b.side) found[a.side === 'solves' ? 'onlyA' : 'onlyB'].push({ ...name, a, b })
    else if (a.side === 'solves') found.both++
    else found.neither++
  }
  found.onlyA.sort((one, other) => shareGap(other) - shareGap(one))
  found.onlyB.sort((one, other) => shareGap(one) - shareGap(other))
  return found
}

/** Returns the passed share of graded trials of the first minus that of the second; 0 if one has none. */
function shareGap({ a, b }: Pick<TaskOfPair, 'a' | 'b'>): number {
  return a.graded === 0 || b.graded === 0 ? 0 : a.passed / a.graded - b.passed / b.graded
}
