import type { Candidate, TrialRecord } from '../schema/ledger/record.ts'
import type { Mechanism } from '../schema/method/mechanism.ts'
import { outcomeInterval } from './compare/outcome-difference.ts'
import { type ClusterNames, clustersOf } from './tasks/clusters.ts'
import type { Interval } from './tasks/interval.ts'
import { successRate } from './tasks/success-rate.ts'
import { successValue } from './tasks/task-value.ts'

/** What a mechanism changed: the candidate before it beside what was handed in, in the trials in which it acted and both are graded. */
export interface ActingChange extends Interval {
  trials: number
  tasks: number
  /** Wrong before and right after; right before and wrong after; the same result. */
  mended: number
  broken: number
  same: number
}

/** The trials of a method in which one of its mechanisms acted. Missing trials are left out. */
export interface ActingTrials {
  mechanism: string
  /** Trials in which it acted, and those of which that is known; the rest lack graded candidates. */
  trials: number
  known: number
  /** Of the trials in which it acted: the graded ones, and those that passed. */
  graded: number
  passed: number
  /** A mean of task means, as a share. */
  success: Interval
  /** Success after minus success before, as a share, paired by task; null where it acts before there is work, or does not say so. */
  change: ActingChange | null
}

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
  tasks: Map<string, TaskSums>
}

/** Sums over the trials in which the mechanisms of a row acted. */
export interface ActingTally {
  /** What the method declares; undefined: nothing is known of it. */
  declared: readonly Mechanism[] | undefined
  trials: number
  sums: Map<string, Sums>
}

/** Adds a trial that is not missing. `active`: the counted mechanisms that acted in it. */
export function addActing(tally: ActingTally, record: TrialRecord, active: ReadonlySet<string>): void {
  const declared = tally.declared ?? []
  tally.trials++
  for (const mechanism of declared) addTrial(sumsOf(tally, mechanism.name), record, mechanism, active)
  for (const name of active)
    if (declared.every((mechanism) => mechanism.name !== name))
      addTrial(sumsOf(tally, name), record, { name, before: [] }, active)
}

function sumsOf({ sums }: ActingTally, mechanism: string): Sums {
  const known = sums.get(mechanism)
  if (known) return known
  const added = { trials: 0, unknown: 0, mended: 0, broken: 0, same: 0, tasks: new Map() }
  sums.set(mechanism, added)
  return added
}

function addTrial(sums: Sums, record: TrialRecord, mechanism: Mechanism, active: ReadonlySet<string>): void {
  const before = candidateBefore(record, mechanism)
  const hasActed = actedIn(record, mechanism, { active, before })
  if (hasActed === null) sums.unknown++
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

/** Returns what came of the trials in which mechanisms acted, first of the declared ones; undefined: the row has none that is known. */
export function actingOf(
  tally: ActingTally,
  { confidence, clusters }: { confidence: number; clusters: ClusterNames },
): { acting?: ActingTrials[] } {
  const { declared, sums } = tally
  if (declared === undefined && sums.size === 0) return {}
  const names = new Set([...(declared ?? []).map(({ name }) => name), ...sums.keys()])
  return {
    acting: [...names].map((name) => {
      const { tasks, unknown, trials, ...flips } = sumsOf(tally, name)
      const graded = [...tasks.entries()]
      const rate = successRate(
        graded.map(([, task]) => successValue(task.passed, task.graded, 0)),
        confidence,
        clustersOf([...tasks.keys()], clusters),
      )
      const { estimate, lower, upper } = rate
      const total = (field: 'graded' | 'passed') => graded.reduce((sum, [, task]) => sum + task[field], 0)
      const hasWorkBefore = declared?.some((one) => one.name === name && one.before.length > 0)
      return {
        ...{
          mechanism: name,
          trials,
          known: tally.trials - unknown,
          graded: total('graded'),
          passed: total('passed'),
        },
        success: { estimate, lower, upper },
        change: hasWorkBefore ? { ...changeOf(tasks, confidence, clusters), ...flips } : null,
      }
    }),
  }
}

function changeOf(tasks: Sums['tasks'], confidence: number, clusters: ClusterNames) {
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
