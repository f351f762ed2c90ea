import type { Candidate, TrialRecord } from '../schema/ledger/record.ts'
import type { Mechanism } from '../schema/method/mechanism.ts'
import { outcomeInterval } from './compare/outcome-difference.ts'
import { type ActingChange, type ActingTrials, activeMechanisms } from './mechanisms.ts'
import { createRows, type RecordSums, type RowName } from './rows.ts'
import { agentsLabel } from './summarize.ts'
import { isMissing } from './tally.ts'
import { type ClusterNames, clustersOf } from './tasks/clusters.ts'
import { successRate } from './tasks/success-rate.ts'
import { successValue } from './tasks/task-value.ts'

/** The graded trials on a task in which a mechanism acted; and those of them that have a graded candidate before. */
interface TaskSums {
  graded: number
  passed: number
  compared: number
  before: number
  after: number
}

interface Sums extends Pick<ActingChange, 'trials' | 'mended' | 'broken' | 'same'> {
  unknown: number
  ungraded: number
  tasks: Map<string, TaskSums>
}

/** Level of all limits. */
const confidence = 0.95

/** Sums over the trials of a row. */
interface RowSums extends RowName {
  trials: number
  sums: Map<string, Sums>
}

/** A row with what came of the trials in which its mechanisms acted; none: it has none. Undefined: it declares none, and none acted. */
type ActingOfRow = RowName & { acting: ActingTrials[] | undefined }

/** Returns a builder of what came of the trials in which mechanisms acted; `declared` has those of each method that declares them. */
export function createActing(
  declared: Readonly<Record<string, readonly Mechanism[]>>,
  clusters: ClusterNames = {},
): RecordSums<ActingOfRow[]> {
  const rows = createRows<RowSums>((method, agents, set) => ({
    ...{ method, agents, set, trials: 0, sums: new Map() },
  }))
  const mechanismsOf = (method: string) => (Object.hasOwn(declared, method) ? declared[method] : undefined)
  return {
    add(record) {
      if (isMissing(record)) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      addRecord(row, record, mechanismsOf(record.method) ?? [])
    },
    result: () =>
      rows.all().map((row) => {
        const { method, agents, set } = row
        return { method, agents, set, acting: actingOf(row, mechanismsOf(method), clusters) }
      }),
  }
}

function addRecord(row: RowSums, record: TrialRecord, declared: readonly Mechanism[]): void {
  const active = activeMechanisms(record)
  row.trials++
  for (const mechanism of declared) addTrial(sumsOf(row, mechanism.name), record, mechanism, active)
  for (const name of active)
    if (declared.every((mechanism) => mechanism.name !== name))
      addTrial(sumsOf(row, name), record, { name, before: [] }, active)
}

function sumsOf({ sums }: RowSums, mechanism: string): Sums {
  const known = sums.get(mechanism)
  if (known) return known
  const added = { trials: 0, unknown: 0, ungraded: 0, mended: 0, broken: 0, same: 0, tasks: new Map() }
  sums.set(mechanism, added)
  return added
}

function addTrial(sums: Sums, record: TrialRecord, mechanism: Mechanism, active: ReadonlySet<string>): void {
  const before = candidateBefore(record, mechanism)
  const hasActed = actedIn(record, mechanism, { active, before })
  if (hasActed === null) sums.unknown++
  if (hasActed !== false && !record.candidates && mechanism.before.length > 0) sums.ungraded++
  if (!hasActed) return
  sums.trials++
  const { task: name, passed } = record
  if (passed === null) return
  const task = sums.tasks.get(name) ?? { graded: 0, passed: 0, compared: 0, before: 0, after: 0 }
  sums.tasks.set(name, task)
  task.graded++
  task.passed += Number(passed)
  if (!before || before.passed === null) return
  task.compared++
  task.before += Number(before.passed)
  task.after += Number(passed)
  sums[before.passed === passed ? 'same' : passed ? 'mended' : 'broken']++
}

// `attempt-10` comes after `attempt-2`.
const byNumber = new Intl.Collator('en', { numeric: true })

/** The candidate that would have been handed in without the mechanism. */
function candidateBefore({ candidates = [] }: TrialRecord, { before }: Mechanism): Candidate | undefined {
  for (const name of before) {
    const own = candidates.filter(({ role, key }) => role === name || branchName(key) === name)
    const [first] = own.sort((one, other) => byNumber.compare(one.key, other.key))
    if (first) return first
  }
  return undefined
}

/** The name of the branch of an ask; a branch that was opened again has `~2` behind it. */
const branchName = (key: string) => key.replace(/(~\d+)?[#!].*$/, '').replace(/^.*\//, '')

/** Whether a mechanism acted in a trial; null where that is only known of graded candidates. */
function actedIn(
  record: TrialRecord,
  { name, acts }: Mechanism,
  { active, before }: { active: ReadonlySet<string>; before: Candidate | undefined },
): boolean | null {
  if (acts === undefined) return active.has(name)
  if (acts === 'asked-again') return record.iterations > 1
  if (acts === 'other-work')
    return record.candidates ? (before?.delivered ?? null) !== record.delivered : null
  const value = acts.state
    .split('.')
    .reduce<unknown>((part, field) => (part as Record<string, unknown> | undefined)?.[field], record.state)
  return 'is' in acts ? value === acts.is : typeof value === 'number' && value > acts.above
}

function actingOf(
  row: RowSums,
  declared: readonly Mechanism[] | undefined,
  clusters: ClusterNames,
): ActingTrials[] | undefined {
  if (declared === undefined && row.sums.size === 0) return undefined
  const names = new Set([...(declared ?? []).map(({ name }) => name), ...row.sums.keys()])
  return [...names].map((mechanism) => {
    const { tasks, unknown, ungraded, trials, ...flips } = sumsOf(row, mechanism)
    const graded = [...tasks.values()]
    const { estimate, lower, upper } = successRate(
      graded.map((task) => successValue(task.passed, task.graded, 0)),
      confidence,
      clustersOf([...tasks.keys()], clusters),
    )
    const total = (field: 'graded' | 'passed') => graded.reduce((sum, task) => sum + task[field], 0)
    const hasWorkBefore = declared?.some(({ name, before }) => name === mechanism && before.length > 0)
    return {
      ...{
        mechanism,
        trials,
        known: row.trials - unknown,
        ungraded,
        graded: total('graded'),
        passed: total('passed'),
      },
      success: { estimate, lower, upper },
      change: hasWorkBefore ? { ...changeOf(tasks, clusters), ...flips } : null,
    }
  })
}

function changeOf(tasks: Sums['tasks'], clusters: ClusterNames) {
  const compared = [...tasks].filter(([, task]) => task.compared > 0)
  const values = (side: 'before' | 'after') =>
    compared.map(([, task]) => successValue(task[side], task.compared, 0))
  const { estimate, lower, upper } = outcomeInterval(
    values('after'),
    values('before'),
    confidence,
    clustersOf(
      compared.map(([name]) => name),
      clusters,
    ),
  )
  const trials = compared.reduce((sum, [, task]) => sum + task.compared, 0)
  return { trials, tasks: compared.length, estimate, lower, upper }
}
