import { isMissing, knownListCost } from '../../analysis/tally.ts'
import type { BudgetMatch, MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { MatchStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { stepHead } from '../journal/journal.ts'
import { fromJournal, type TrialState } from '../state/trial-state.ts'

/** What a method's trials of one task spent, where they have a record and did not end in error. */
export interface TaskSpend {
  trials: number
  /** Null: not known of each of them. */
  sum: Record<BudgetMatch['unit'], number | null>
}

/** Nothing spent, by nobody. */
export const noSpend = (): TaskSpend => ({ trials: 0, sum: { tokens: 0, dollars: 0, calls: 0 } })

/** Adds a trial, unless it says nothing of its method. */
export function addSpend(spend: TaskSpend, record: TrialRecord): void {
  if (isMissing(record)) return
  const { sum } = spend
  const { spent } = record
  // A cache that one of them met is no merit of it, as in all comparisons.
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
 * The whole number of attempts, at least one, that comes nearest to the matched method's mean spend, an attempt costing
 * the baseline's mean. Throws `InfrastructureError` where that cannot be told: no control spends what nobody knows.
 */
export function budgetOf(
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

/** The options of a trial, the number of attempts of a matched budget among them: journaled, so that it stays what it was. */
export function optionsOf(
  trialState: TrialState,
  budget: (() => MatchedBudget) | undefined,
): { options: Readonly<Record<string, unknown>>; matched?: MatchedBudget } {
  const { trial, strategy, run } = trialState
  const { match, options } = trial.cell.method
  if (!match || strategy.attempts === undefined) return { options }
  const hash = digest({ match })
  const recorded = fromJournal(
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
    run.journal?.step(step, trialState.ledgerChecksum)
    return step
  }
}
