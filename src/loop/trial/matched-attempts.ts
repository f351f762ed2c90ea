import { isMissing, knownListCost } from '../../analysis/tally.ts'
import type { BudgetMatch, MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { MatchStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { stepHead, takeRecordedStep, writeStep } from '../branch/recorded-steps.ts'
import type { TrialState } from '../branch/trial-state.ts'

/** The spending of a method's recorded trials of one task, without those that ended in error. */
export interface TaskSpend {
  trials: number
  /** Null: unknown for at least one trial. */
  sum: Record<BudgetMatch['unit'], number | null>
}

/** Returns the spending of no trials. */
export const noSpend = (): TaskSpend => ({ trials: 0, sum: { tokens: 0, dollars: 0, calls: 0 } })

/** Adds a trial's spending, unless the trial counts as missing. */
export function addSpend(spend: TaskSpend, record: TrialRecord): void {
  if (isMissing(record)) return
  const { sum } = spend
  const { spent } = record
  // List cost, as in all comparisons: a cache hit is not the method's merit.
  const dollars = knownListCost(record)
  const tokens = spent.unreportedTokens > 0 ? null : spent.input + spent.output
  const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)
  spend.trials++
  spend.sum = {
    tokens: plus(sum.tokens, tokens),
    dollars: plus(sum.dollars, dollars),
    calls: plus(sum.calls, spent.calls),
  }
}

/**
 * Returns the number of attempts, at least one, whose cost is nearest to the matched method's mean spending; an attempt costs
 * the baseline's mean. Throws `InfrastructureError` when either is unknown.
 */
export function computeMatch(
  { method, unit, baseline }: BudgetMatch,
  of: TaskSpend,
  one: TaskSpend,
): MatchedBudget {
  const mean = (label: string, { trials, sum }: TaskSpend): number => {
    const total = sum[unit]
    if (trials > 0 && total !== null) return total / trials
    throw new InfrastructureError(
      `its budget cannot be matched: the ${unit} that ${label} spent on this task are not known`,
    )
  }
  const [spent, attempt] = [mean(method, of), mean(baseline, one)]
  if (attempt === 0 && spent > 0)
    throw new InfrastructureError(`its budget cannot be matched: ${baseline} spent no ${unit} on this task`)
  const attempts = attempt === 0 ? 1 : Math.max(1, Math.round(spent / attempt))
  return { method, unit, spent, baseline: attempt, attempts }
}

/** Returns the options of a trial, with the attempts of a matched budget. The attempts are journaled, so that they stay the same. */
export function resolveOptions(
  trialState: TrialState,
  budget: (() => MatchedBudget) | undefined,
): { options: Readonly<Record<string, unknown>>; matched?: MatchedBudget } {
  const { trial, strategy } = trialState.plan
  const { match, options } = trial.cell.method
  if (!match || strategy.attempts === undefined) return { options }
  const hash = digest({ match })
  const recorded = takeRecordedStep(
    trialState,
    'match#0',
    1,
    hash,
    () => `match of ${match.method} in ${match.unit}`,
  )
  const step = recorded?.kind === 'match' ? recorded : begin()
  const { method, unit, spent, baseline, attempts } = step
  return {
    options: { ...options, [strategy.attempts]: attempts },
    matched: { method, unit, spent, baseline, attempts },
  }

  function begin(): MatchStep {
    if (!budget) throw new InfrastructureError('its budget cannot be matched: nobody counted what was spent')
    const step: MatchStep = {
      ...stepHead(trialState, 'match', 'match#0', hash, 0),
      ...budget(),
    }
    writeStep(trialState, step)
    return step
  }
}
