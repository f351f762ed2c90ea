import { dataCleaner } from '../../replies/clean-data.ts'
import { weakestLevel } from '../../sandbox/level.ts'
import { faultsText } from '../../schema/agent/faults.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import {
  type Candidate,
  type PeopleCounts,
  schemaVersion,
  type ToolRun,
  type TrialRecord,
} from '../../schema/ledger/record.ts'
import type { GradeStep } from '../../schema/ledger/step.ts'
import type { Cell } from '../../schema/ledger/trial.ts'
import type { StrategyResult } from '../../strategy.ts'
import type { Branch } from '../branch/branch.ts'
import { overshoot } from '../branch/trial-limits.ts'
import { type TrialState, withheldText } from '../branch/trial-state.ts'
import { describeUnusedWork } from '../branch/unused-work.ts'
import { finalSpending } from '../budget/spending.ts'
import { scoreOf } from '../effects/grade-candidates.ts'
import { checksumFields } from '../journal/checksum.ts'
import { packText } from '../journal/journal.ts'
import {
  countFinishes,
  countLeftOut,
  countOtherModels,
  countTools,
  gatewayFields,
  phasesOf,
} from './counts.ts'
import { declaredOf } from './fidelity.ts'

/** How a trial ended, and its grades. */
interface TrialEnd {
  outcome: Outcome
  answer: string | undefined
  /** SHA-256 of what was handed in; null when nothing was. */
  delivered: string | null
  /** Undefined: not graded. */
  step: GradeStep | undefined
  /** Undefined: the run does not grade candidates. */
  candidates: Candidate[] | undefined
  /** Milliseconds since 1970. */
  startedAt: number
  ms: number
}

/** Returns a trial's line in records.jsonl. Undefined fields are not written. */
export function recordOf(
  trialState: TrialState,
  branch: Branch,
  result: StrategyResult | undefined,
  end: TrialEnd,
): TrialRecord {
  const { trial, task, run } = trialState
  const { outcome, answer, delivered, step, candidates } = end
  const { cell } = trial
  const scores = step?.scores ?? []
  const { fidelity, ownJudge } = declaredOf(trialState, outcome, result)
  const unused = unusedIn(trialState, outcome, result)
  const { retries, waitMs } = retriesOf(trialState.asked)
  return {
    schemaVersion,
    trial: trial.id,
    task: cell.task,
    suite: task.suite,
    method: cell.method.label,
    agents: agentsOf(cell.agents),
    agentSet: cell.agentSet,
    epoch: trial.epoch,
    mode: run.mode,
    simulated: trialState.simulated,
    profile: cell.profile?.name ?? null,
    outcome,
    claimed: result?.stopReason ?? null,
    detail: trialState.secret && result?.detail !== undefined ? withheldText : result?.detail,
    passed: step?.passed ?? null,
    score: step ? scoreOf(step) : null,
    scores,
    answer:
      task.spec.output === 'answer' && answer !== undefined && !trialState.secret
        ? packText(answer, run.blobs)
        : undefined,
    delivered,
    spent: finalSpending(branch.bill, { list: run.mode === 'live' || !trialState.simulated }),
    retries,
    waitMs,
    faults: cell.faults && faultsText(cell.faults),
    ...judgingFields(trialState),
    iterations: trialState.produced,
    revisions: trialState.revisions.asks > 0 ? { ...trialState.revisions } : undefined,
    durationMs: branch.clock,
    overshoot: overshoot(cell.limits, branch),
    state:
      result?.state &&
      (trialState.secret
        ? { withheld: withheldText }
        : packTexts({ ...result.state }, (text) => packText(text, run.blobs))),
    ...peopleFields(trialState.people),
    savings: toolRunsOf(trialState),
    tools: countTools(trialState),
    leftOut: countLeftOut(trialState),
    ...gatewayFields(trialState),
    finishes: countFinishes(trialState),
    otherModels: countOtherModels(trialState),
    history: trialState.labelled ? phasesOf(trialState) : undefined,
    candidates,
    deliveredFrom: candidates && branch.state.candidate,
    matched: trialState.matched,
    fidelity,
    ownJudge,
    unused,
    sandbox: (trialState.level ?? step?.sandbox) && weakestLevel([trialState.level, step?.sandbox]),
    wall: {
      startedAt: new Date(end.startedAt).toISOString(),
      ms: end.ms,
      place: trialState.thrownAt?.place,
      stack: trialState.thrownAt?.stack,
      ...checksumFields(trialState.ledgerChecksum),
    },
  }
}

function unusedIn(
  trialState: TrialState,
  { status }: Outcome,
  result: StrategyResult | undefined,
): TrialRecord['unused'] {
  if (status !== 'completed' || !result) return undefined
  const unused = describeUnusedWork(trialState, result)
  if (unused.length === 0) return undefined
  return dataCleaner(trialState.run.redact)(unused)
}

/** Returns what the judges of a trial used. */
function judgingFields({
  judging,
  run,
  simulated,
}: TrialState): Pick<TrialRecord, 'gradingCostUsd' | 'judging'> {
  if (!judging) return { gradingCostUsd: 0 }
  const spent = finalSpending(judging, { list: run.mode === 'live' || !simulated })
  return { gradingCostUsd: spent.costUsd, judging: spent }
}

/** Returns how often people took part; nothing if nobody did. */
function peopleFields(people: PeopleCounts): Pick<TrialRecord, 'interventions' | 'people'> {
  const interventions = people.guidance + people.sets
  if (interventions + people.approvals === 0) return {}
  return { ...(interventions > 0 && { interventions }), people }
}

/** Returns the runs of tools in the order of the clock, since parallel branches end in any order; undefined without any. */
function toolRunsOf({ toolRuns }: TrialState): ToolRun[] | undefined {
  const ordered = [...toolRuns].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
  const runs = ordered.flatMap(({ savings }) => savings)
  return runs.length === 0 ? undefined : runs
}

/** Returns one agent name when all roles share it. */
const agentsOf = (agents: Cell['agents']): TrialRecord['agents'] =>
  Object.keys(agents).length === 1 ? (agents['*'] ?? agents) : agents

/** Returns the number of retries and the time they waited, in ms. Zero becomes undefined, which is not written. */
function retriesOf(asked: TrialState['asked']): Pick<TrialRecord, 'retries' | 'waitMs'> {
  const retries = asked.filter(({ step }) => step.retry).length
  const waitMs = asked.reduce((sum, { step }) => sum + step.waitMs, 0)
  return { retries: retries || undefined, waitMs: waitMs || undefined }
}

/** Moves long texts anywhere in a state to blobs, as in steps. */
function packTexts<Value>(value: Value, pack: (text: string) => string): Value {
  if (typeof value === 'string') return pack(value) as Value
  if (Array.isArray(value)) return value.map((item) => packTexts(item, pack)) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, packTexts(item, pack)])) as Value
}
