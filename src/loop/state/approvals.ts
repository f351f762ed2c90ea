import type { ApprovalAnswer, ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { WaitsLine } from '../../schema/run/people.ts'

/** Asks a person at the terminal. Returns undefined if nobody answers. Rejects when the signal aborts. */
export type AskPerson = (question: WaitsLine, signal: AbortSignal) => Promise<ApprovalAnswer | undefined>

/** Who answers `approve()` in a session. */
export interface Approvals {
  policy: ApprovalPolicy
  /** Needed by the policy `ask`; without it such a trial waits. */
  askPerson?: AskPerson | undefined
  /** Called when the policy `yes`, which nobody chose, answers. */
  onDefault?: (() => void) | undefined
}

/** The policy of runs in which nobody can be asked. */
export const alwaysYes: Approvals = { policy: { policy: 'yes' } }
