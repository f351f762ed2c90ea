import { areSimulated } from '../agents/what-answers.ts'
import type { Budgets } from '../schema/limits.ts'
import { type Admission, hasLimits, openAdmission } from './admission.ts'
import type { RunEvent } from './events.ts'
import type { Journal } from './journal.ts'
import { pastSpending } from './past-spending.ts'
import type { Session } from './session.ts'

/** The admission of a session, where it has limits; it begins with what its folder says was spent, and tells as the run does. */
export function admissionOf(
  { folder, plan, asked, budgets }: Pick<Session, 'folder' | 'plan' | 'asked'> & { budgets: Budgets },
  journal: Journal,
  now: () => number,
  onEvent: (event: RunEvent) => void,
): Admission | undefined {
  if (!hasLimits(budgets)) return undefined
  return openAdmission(budgets, pastSpending(folder, plan), now, {
    onAlert(alert) {
      const key = ['alert', alert.method ?? 'run', alert.limit, alert.percent].join(' ')
      journal.event(null, key, { type: 'alert', ...alert, simulated: areSimulated(asked) })
      onEvent({ type: 'alert', ...alert })
    },
    onUncounted: (limit, method) =>
      onEvent({
        type: 'warning',
        message:
          limit === 'costUsd'
            ? `a call of ${method} has no known price, so no limit in dollars counts it; limit tokens or calls, too`
            : `a call of ${method} did not report its tokens, so no limit of tokens counts it; limit calls, too`,
      }),
  })
}
