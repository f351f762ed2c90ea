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
import { overshoot } from '../branch/trial-limits.ts'
import { type Branch, type TrialState, withheldText } from '../branch/trial-state.ts'
import { describeUnusedWork } from '../branch/unused-work.ts'
import { finalSpending } from '../budget/spending.ts'
import { scoreOf } from '../effects/grade-candidates.ts'
import { mapTexts } from '../journal/blobs.ts'
import { checksumFields } from '../journal/checksum.ts'
import { packText } from '../journal/journal.ts'
import type { TrialJournal } from '../journal/ledger-index.ts'
import {
  countFinishes,
  countLeftOut,
  countOtherModels,
  countProduced,
  countRepairs,
  countServed,
  countTools,
  gatewayFields,
  phasesOf,
} from './counts.ts'
import { declaredOf } from './fidelity.ts'

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
export function recordOf(branch: Branch, result: StrategyResult | undefined, end: TrialEnd): TrialRecord {
  const { trialState } = branch
  const { run, journal } = trialState
  const { trial, task } = trialState.plan
  const { outcome, answer, delivered, step, candidates } = end
  const { cell } = trial
  const scores = step?.scores ?? []
  const { fidelity, ownJudge } = declaredOf(trialState, outcome, result)
  const unused = unusedIn(trialState, outcome, result)
  const { retries, waitMs } = retriesOf(journal.asked)
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
    simulated: trialState.bill.simulated,
    recorded: trialState.bill.recorded || undefined,
    profile: cell.profile?.name ?? null,
    outcome,
    claimed: result?.stopReason ?? null,
    detail: journal.secret && result?.detail !== undefined ? withheldText : result?.detail,
    passed: step?.passed ?? null,
    score: step ? scoreOf(step) : null,
    scores,
    answer:
      task.spec.output === 'answer' && answer !== undefined && !journal.secret
        ? packText(answer, run.blobs)
        : undefined,
    delivered,
    spent: finalSpending(branch.bill, { list: run.mode === 'live' || !trialState.bill.simulated }),
    retries,
    waitMs,
    faults: cell.faults && faultsText(cell.faults),
    ...judgingFields(trialState),
    iterations: countProduced(journal),
    revisions: trialState.revisions.asks > 0 ? { ...trialState.revisions } : undefined,
    durationMs: trialState.bill.recorded ? null : branch.clock,
    overshoot: overshoot(cell.limits, branch),
    state:
      result?.state &&
      (journal.secret
        ? { withheld: withheldText }
        : mapTexts({ ...result.state }, (text) => packText(text, run.blobs))),
    ...peopleFields(trialState.people.counts),
    savings: toolRunsOf(journal),
    tools: countTools(journal),
    leftOut: countLeftOut(trialState),
    repairedData: countRepairs(trialState),
    ...gatewayFields(journal),
    finishes: countFinishes(journal),
    otherModels: countOtherModels(journal),
    served: countServed(journal),
    history: journal.labelled ? phasesOf(journal) : undefined,
    candidates,
    deliveredFrom: candidates && branch.state.candidate,
    matched: trialState.plan.matched,
    fidelity,
    ownJudge,
    unused,
    sandbox: (journal.level ?? step?.sandbox) && weakestLevel([journal.level, step?.sandbox]),
    wall: {
      startedAt: new Date(end.startedAt).toISOString(),
      ms: end.ms,
      place: journal.thrownAt?.place,
      stack: journal.thrownAt?.stack,
      ...checksumFields(journal.ledgerChecksum),
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

function judgingFields({
  bill: { judging, simulated },
  run,
}: TrialState): Pick<TrialRecord, 'gradingCostUsd' | 'judging'> {
  if (!judging) return { gradingCostUsd: 0 }
  const spent = finalSpending(judging, { list: run.mode === 'live' || !simulated })
  return { gradingCostUsd: spent.costUsd, judging: spent }
}

function peopleFields(people: PeopleCounts): Pick<TrialRecord, 'interventions' | 'people'> {
  const interventions = people.guidance + people.sets
  if (interventions + people.approvals === 0) return {}
  return { ...(interventions > 0 && { interventions }), people }
}

/** Returns the runs of tools in the order of the clock, since parallel branches end in any order; undefined without any. */
function toolRunsOf({ toolRuns }: TrialJournal): ToolRun[] | undefined {
  const ordered = [...toolRuns].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
  const runs = ordered.flatMap(({ savings }) => savings)
  return runs.length === 0 ? undefined : runs
}

/** Returns one agent name when all roles share it. */
const agentsOf = (agents: Cell['agents']): TrialRecord['agents'] =>
  Object.keys(agents).length === 1 ? (agents['*'] ?? agents) : agents

/** Returns the number of retries and the time they waited, in ms. Zero becomes undefined, which is not written. */
function retriesOf(asked: TrialJournal['asked']): Pick<TrialRecord, 'retries' | 'waitMs'> {
  const retries = asked.filter(({ step }) => step.retry).length
  const waitMs = asked.reduce((sum, { step }) => sum + step.waitMs, 0)
  return { retries: retries || undefined, waitMs: waitMs || undefined }
}
