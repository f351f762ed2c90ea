import { rowName } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { ConductTally } from './conduct.ts'
import { addRecord, emptyRow, type RowTally, summarizeRow } from './method-row.ts'
import { createMixGuard, createRows } from './rows.ts'
import { compareWithBaseline } from './saving.ts'
import type { MethodSummary, Summary } from './summary.ts'
import type { TaskTally } from './tally.ts'
import type { ClusterNames } from './tasks/clusters.ts'

interface SummaryOptions {
  /** Label of the method that the others are compared with. */
  baseline: string | null
  /** Labels in the order of the rows; others follow in order of appearance. Labels without a record become `absent`. */
  methods?: readonly string[]
  /** Labels of the sets of agents, in their order; empty if there is one set. */
  agentSets?: readonly string[]
  /** Trials planned for each method and set of agents, or by method. */
  planned?: number | Readonly<Record<string, number>>
  /** Level of every interval; default 0.95. */
  confidence?: number
  /** The cluster of each task that has one. */
  clusters?: ClusterNames
}

/** Returns a builder that sums up records, one by one; `result` may be called at any time. It keeps a few sums per method and task, never a record. */
export function createSummary({
  baseline,
  methods = [],
  agentSets = [],
  planned,
  confidence = 0.95,
  clusters = {},
}: SummaryOptions) {
  const rows = createRows(emptyRow)
  const tasks = new Set<string>()
  const profiles = new Set<string>()
  let records = 0
  const oneProcess = new Set<string>()
  let unsandboxed = 0
  const mix = createMixGuard()
  let [lastTask, lastProfile]: [string | undefined, string | null] = [undefined, null]

  return {
    /** Throws `UserError` for a trial that occurs twice, and for simulated records among live ones. */
    add(record: TrialRecord) {
      mix.add(record)
      addRecord(rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null), record)
      records++
      if (record.sandbox === 'none') unsandboxed++
      if (record.scores.some((score) => score.oneProcess)) oneProcess.add(record.task)
      if (lastTask !== record.task) tasks.add(record.task)
      if (record.profile !== null && lastProfile !== record.profile) profiles.add(record.profile)
      lastTask = record.task
      lastProfile = record.profile
    },

    result(): Summary {
      const ordered = sortRows(rows.all(), methods, agentSets)
      const names =
        agentSets.length > 0
          ? methods.flatMap((method) => agentSets.map((set) => rowName(method, set)))
          : methods
      const bases = ordered.filter((row) => row.method === baseline)
      return {
        confidence,
        ...mix.kind(),
        profiles: [...profiles].sort(),
        faults: mix.faults(),
        ...(unsandboxed > 0 && { unsandboxed }),
        ...(oneProcess.size > 0 && { oneProcess: oneProcess.size }),
        baseline,
        absent: names.filter((name) => !ordered.some((row) => rowName(row.method, row.set) === name)),
        tasks: [...tasks],
        records,
        methods: ordered.map((row) => {
          const base = findBaseline(row, bases)
          const plan = typeof planned === 'object' ? planned[row.method] : planned
          const sums = summarizeRow(row, { confidence, planned: plan ?? null, clusters })
          return {
            ...sums,
            // Other harnesses do not tell them; some tell calls.
            ...(mix.kind().imported && { iterations: null, checks: null, calls: sums.calls || null }),
            isBaseline: row.method === baseline,
            match: budgetRatio(row, ordered),
            againstBaseline: base ? compareWithBaseline(row.tasks, base.tasks, tasks.size) : null,
            // Rows with different agents answer another question.
            againstOthers: ordered
              .filter((other) => other.method !== row.method && hasSameAgents(other, row) && other !== base)
              .map((other) => ({
                method: other.method,
                ...compareWithBaseline(row.tasks, other.tasks, tasks.size),
              })),
          }
        }),
      }
    },
  }
}

/** Returns one name if all roles share an agent, else `role=agent` sorted by role; `*` means all other roles. */
export function agentsLabel(agents: TrialRecord['agents']): string {
  if (typeof agents === 'string') return agents
  const entries = Object.entries(agents)
  if (entries.length === 1 && entries[0]?.[0] === '*') return entries[0][1]
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, agent]) => `${role}=${agent}`)
    .join(', ')
}

function sortRows(rows: RowTally[], methods: readonly string[], sets: readonly string[]): RowTally[] {
  const place = (name: string | null, names: readonly string[]) => {
    const index = name === null ? -1 : names.indexOf(name)
    return index < 0 ? names.length : index
  }
  return rows.sort(
    (a, b) => place(a.method, methods) - place(b.method, methods) || place(a.set, sets) - place(b.set, sets),
  )
}

// Within a set of agents, methods may name agents for their own roles.
function hasSameAgents(a: RowTally, b: RowTally): boolean {
  return a.set === b.set && (a.set !== null || a.agents === b.agents)
}

// Roles differ between methods, so agents by role may, too. A baseline with one set of agents serves all rows.
function findBaseline(row: RowTally, bases: readonly RowTally[]): RowTally | undefined {
  if (bases.includes(row)) return undefined
  const near = bases.filter((base) => base.set === row.set)
  return near.length === 1 ? near[0] : near.find((base) => hasSameAgents(base, row))
}

interface Row {
  method: string
  set: string | null
  tasks: ReadonlyMap<string, TaskTally>
  conduct: ConductTally
}

/** Largest relative deviation from the target that counts as matched. */
const tolerance = 0.1

/**
 * Returns a control's spend relative to the method that it had to match: by task the ratio of the means, in total the ratio
 * of their sums over the tasks where both are known. Null for a row without a method to match.
 */
function budgetRatio({ set, tasks, conduct }: Row, rows: readonly Row[]): MethodSummary['match'] {
  const { match, attempts } = conduct
  if (!match) return null
  const matched = rows.find((row) => row.method === match.method && row.set === set)
  const means = [...tasks.values()].map((tally) => ({
    task: tally.task,
    attempts: attempts.get(tally.task) ?? null,
    own: meanOf(tally, match.unit),
    target: meanOf(matched?.tasks.get(tally.task), match.unit),
  }))
  const known = means.flatMap(({ own, target }) => (own === null || target === null ? [] : [{ own, target }]))
  const sum = (side: 'own' | 'target') => known.reduce((total, one) => total + one[side], 0)
  const ratio = sum('target') > 0 ? sum('own') / sum('target') : null
  return {
    ...match,
    ratio,
    isMatched: ratio !== null && Math.abs(ratio - 1) <= tolerance,
    nTasks: known.length,
    tasks: means.map(({ task, attempts, own, target }) => ({
      task,
      attempts,
      ratio: own === null || target === null || target === 0 ? null : own / target,
    })),
  }
}

function meanOf(
  tally: TaskTally | undefined,
  unit: NonNullable<MethodSummary['match']>['unit'],
): number | null {
  if (!tally || tally.ended === 0) return null
  if (unit === 'calls') return tally.calls / tally.ended
  const [trials, sum] = unit === 'tokens' ? [tally.tokenTrials, tally.tokens] : [tally.listTrials, tally.list]
  return trials < tally.ended ? null : sum / trials
}
