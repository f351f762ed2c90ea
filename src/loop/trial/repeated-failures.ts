import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { AskStep } from '../../schema/ledger/step.ts'

/** So many trials that fail alike, and no other, are no chance: what comes after them would be paid in vain. */
const failuresToStop = 5

/** What of a trial that has ended tells whether more of them are in vain. */
interface EndedTrial {
  record: Pick<TrialRecord, 'method' | 'agentSet' | 'outcome'>
  /** What the first ask was told, where no ask of the trial was answered. */
  unanswered: string | undefined
}

/** Tells why a run should stop, once it should; to be asked with each trial that has ended, in the order of ending. */
export type FailureWatch = (ended: EndedTrial) => string | undefined

/**
 * Watches for a method whose first trials all break in the same way, and for a run in whose first trials no ask is answered, for
 * the same reason. What earlier sessions came to may speak against it, and never for it: whoever goes on has put something right.
 */
export function createFailureWatch(earlier: Iterable<EndedTrial['record']>): FailureWatch {
  const run = createCount()
  const methods = new Map<string, Count>()
  const ofRow = ({ method, agentSet }: EndedTrial['record']) => {
    const row = rowName(method, agentSet)
    const known = methods.get(row)
    const count = known ?? createCount()
    if (!known) methods.set(row, count)
    return { row, count }
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

interface Count {
  /** True when there have been enough of the same, and nothing else; undefined is something else. */
  add(reason: string | undefined): boolean
}

function createCount(): Count {
  let first: string | undefined
  let count = 0
  let isAlike = true
  return {
    add(reason) {
      const now = reason === undefined ? undefined : withoutIds(reason)
      if (count === 0) first = now
      count++
      isAlike &&= now !== undefined && now === first
      return isAlike && count >= failuresToStop
    },
  }
}

/** A reason without what differs each time: numbers, ids, and words that hold digits. */
function withoutIds(reason: string): string {
  return reason.replace(/[\w.-]*\d[\w.-]*/g, '#')
}

/** What the first ask of a trial was told, where each of its attempts failed. */
export function findUnanswered(asked: readonly { step: AskStep }[]): string | undefined {
  const error = asked[0]?.step.error
  if (!error || asked.some(({ step }) => !step.error)) return undefined
  return `${error.reason}: ${error.message}`
}
