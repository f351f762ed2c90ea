import { valueAt } from '../../base/grouping.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { AgentError, InfrastructureError, LimitError, thrownText } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { failureRule } from '../budget/failures.ts'
import { Cancelled } from '../effects/approval.ts'

/** A message may contain a path or text of any length. */
const longestReason = 2000

/** Returns the outcome of a trial whose strategy did not handle an error: the same for all methods. */
export function outcomeOf(error: Error): Outcome {
  if (error instanceof AgentError)
    return { status: failureRule(error.reason).unhandled, reason: `${error.reason}: ${error.message}` }
  if (error instanceof LimitError) return { status: 'limited', reason: `${error.limit}: ${error.message}` }
  if (error instanceof Cancelled) return { status: 'cancelled', reason: 'a person said stop' }
  if (error instanceof InfrastructureError)
    return { status: 'error', reason: shorten(error.message, longestReason) }
  return { status: 'failed', reason: `the method broke: ${shorten(thrownText(error), longestReason)}` }
}

/** A run stops if its first trials, this many, all fail in the same way: later ones would only cost money. */
const failuresToStop = 5

interface EndedTrial {
  record: Pick<TrialRecord, 'method' | 'agentSet' | 'outcome'>
  /** The error of the first ask, if no ask of the trial was answered. */
  unanswered: string | undefined
}

/** Takes each ended trial, in the order of ending. Returns why the run should stop, once it should. */
export type FailureWatch = (ended: EndedTrial) => string | undefined

/**
 * Watches for a method whose first trials all break in the same way, and for a run whose first trials all get no answer for the
 * same reason. Failures of earlier sessions do not count, since their cause may be fixed; their other trials do.
 */
export function createFailureWatch(earlier: Iterable<EndedTrial['record']>): FailureWatch {
  const run = createCount()
  const methods = new Map<string, Count>()
  const ofRow = ({ method, agentSet }: EndedTrial['record']) => {
    const row = rowName(method, agentSet)
    return { row, count: valueAt(methods, row, createCount) }
  }
  for (const record of earlier) {
    if (isBroken(record)) continue
    run.add(undefined)
    ofRow(record).count.add(undefined)
  }
  return ({ record, unanswered }) => {
    if (run.add(unanswered)) return `no ask was answered in the first ${failuresToStop} trials: ${unanswered}`
    const { row, count } = ofRow(record)
    const { status, reason } = record.outcome
    return count.add(isBroken(record) ? reason : undefined)
      ? `${row} ended as ${status} in the same way in its first ${failuresToStop} trials: ${reason}`
      : undefined
  }
}

const isBroken = ({ outcome: { status } }: EndedTrial['record']) => status === 'failed' || status === 'error'

type Count = ReturnType<typeof createCount>

function createCount() {
  let first: string | undefined
  let count = 0
  let isAlike = true
  return {
    /** Returns true when there were enough equal reasons and nothing else; undefined is another result. */
    add(reason: string | undefined): boolean {
      const now = reason === undefined ? undefined : withoutIds(reason)
      if (count === 0) first = now
      count++
      isAlike &&= now !== undefined && now === first
      return isAlike && count >= failuresToStop
    },
  }
}

/** Replaces the parts of a reason that differ each time: numbers, ids, and words with digits. */
function withoutIds(reason: string): string {
  return reason.replace(/[\w.-]*\d[\w.-]*/g, '#')
}

/** Returns the error of a trial's first ask, if every attempt of the trial failed. */
export function findUnanswered(asked: readonly { step: AskStep }[]): string | undefined {
  const error = asked[0]?.step.error
  if (!error || asked.some(({ step }) => !step.error)) return undefined
  return `${error.reason}: ${error.message}`
}
