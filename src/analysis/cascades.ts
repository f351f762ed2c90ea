import { ofRole } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import { CascadeState } from '../schema/method/cascade.ts'
import { createRows, type RecordSums, type RowName } from './rows.ts'
import { agentsLabel } from './summarize.ts'
import { isMissing } from './tally.ts'

/** A count of those of which it is known. */
export interface Share {
  count: number
  of: number
}

/** What became of one step of a cascade, or of its judge. */
export interface CascadeStep {
  role: string
  agent: string | null
  /** Trials in which it was asked; those in which its agent gave nothing; those that ended with it. */
  asked: number
  failed: number
  ended: number
  /** Its answers that the graders passed, of those that were graded. Of the judge there are none. */
  right: Share
  /** US dollars as billed, with failed asks; null if any is unknown. */
  costUsd: number | null
}

/** What the cascades of one method did. Trials in error are left out. */
export interface MethodCascade extends RowName {
  until: CascadeState['until']
  trials: number
  /** Decisions to go on, of all decisions. */
  escalated: Share
  /** Of the decisions to go on: an answer that was there already was right. */
  forNothing: Share
  /** Of the trials that ended before the last step: what was handed in was wrong. */
  keptWrong: Share
  /** Of the trials that went on without any right answer: what was handed in was right. */
  rescued: Share
  /** Of the trials that went on with a right answer: what was handed in was wrong. */
  lost: Share
  steps: CascadeStep[]
}

/** Returns a builder that sums up what cascades did, by method and agents, in the order of `methods`. */
export function createCascades(methods: readonly string[]): RecordSums<MethodCascade[]> {
  const rows = createRows(emptyRow)
  return {
    add(record) {
      if (record.state?.cascade === undefined || isMissing(record)) return
      const { data: state } = CascadeState.safeParse(record.state.cascade)
      if (!state) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      row.until = state.until
      row.trials++
      addSteps(row, record, state)
      addDecisions(row, record, state)
    },
    result: () => rows.inOrderOf(methods),
  }
}

const none = (): Share => ({ count: 0, of: 0 })

function emptyRow(method: string, agents: string, set: string | null): MethodCascade {
  return {
    ...{ method, agents, set, until: 'agreement', trials: 0, escalated: none(), forNothing: none() },
    ...{ keptWrong: none(), rescued: none(), lost: none(), steps: [] },
  }
}

/** Counts one case, if it is known. */
function count(share: Share, holds: boolean | null): void {
  if (holds === null) return
  share.of++
  if (holds) share.count++
}

/** Whether the answer of a step passed; null if it was not graded. What gave no answer is not right. */
function gradeOf({ candidates, passed }: TrialRecord, state: CascadeState, role: string): boolean | null {
  if (state.steps.some((step) => step.role === role && step.failed !== undefined)) return false
  const graded = candidates?.findLast((candidate) => candidate.role === role)
  return graded ? graded.passed : role === state.delivered ? passed : null
}

function addSteps(row: MethodCascade, record: TrialRecord, state: CascadeState): void {
  const stepOf = (role: string): CascadeStep => {
    const known = row.steps.find((step) => step.role === role)
    if (known) return known
    const { agents } = record
    const agent = typeof agents === 'string' ? agents : (ofRole(agents, role) ?? null)
    const step = { role, agent, asked: 0, failed: 0, ended: 0, right: none(), costUsd: 0 }
    row.steps.push(step)
    return step
  }
  for (const role of state.planned) stepOf(role)
  for (const { role, costUsd, failed } of state.steps) {
    const step = stepOf(role)
    addAsk(step, costUsd)
    if (failed === undefined) count(step.right, gradeOf(record, state, role))
    else step.failed++
  }
  const [last] = state.steps.slice(-1)
  if (last) stepOf(last.role).ended++
  for (const { costUsd } of state.decisions) if (costUsd !== undefined) addAsk(stepOf('judge'), costUsd)
}

function addAsk(step: CascadeStep, costUsd: number | null): void {
  step.asked++
  step.costUsd = step.costUsd === null || costUsd === null ? null : step.costUsd + costUsd
}

function addDecisions(row: MethodCascade, record: TrialRecord, state: CascadeState): void {
  const { passed } = record
  const anyRight = (after: string): boolean | null => {
    const asked = state.steps.slice(0, state.steps.findIndex(({ role }) => role === after) + 1)
    const grades = asked.map(({ role }) => gradeOf(record, state, role))
    return grades.includes(true) ? true : grades.includes(null) ? null : false
  }
  for (const { after, accepted } of state.decisions) {
    count(row.escalated, !accepted)
    if (accepted) count(row.keptWrong, passed === null ? null : !passed)
    else count(row.forNothing, anyRight(after))
  }
  const [beyond] = state.decisions.filter(({ accepted }) => !accepted)
  if (!beyond || passed === null) return
  const before = anyRight(beyond.after)
  if (before === false) count(row.rescued, passed)
  if (before === true) count(row.lost, !passed)
}
