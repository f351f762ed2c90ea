import { isMissing, knownListCost } from '../../analysis/tally.ts'
import type { BudgetMatch, MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { MatchStep } from '../../schema/ledger/step.ts'
import type { Cell, Trial } from '../../schema/ledger/trial.ts'
import { digest } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { stepHead, takeRecordedStep, writeStep } from '../branch/recorded-steps.ts'
import type { TrialState } from '../branch/trial-state.ts'
import type { Plan } from '../plan/plan.ts'

/** The spending of a method's recorded trials of one task, without those that ended in error. */
interface TaskSpend {
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

/** Makes trials with a matched budget wait for the trials whose spending they match. */
export interface Matching {
  /** Notes that a trial has ended, or, without a record, that it will not end in this session. */
  endTrial(trial: Trial, record: TrialRecord | undefined): void
  /** Waits until all trials that the budget depends on have ended; undefined when one will not end in this session. */
  budget(trial: Trial): Promise<(() => MatchedBudget) | undefined>
}

interface Group {
  spend: TaskSpend
  pending: number
  /** Whether one of its trials has no record. */
  isOpen: boolean
  ended: Promise<void>
  resolveEnded(): void
}

/** Creates the matching of a plan; undefined when no trial matches another method. `earlier` reads the existing records. */
export function createMatching(plan: Plan, earlier: () => Iterable<TrialRecord>): Matching | undefined {
  if (!plan.cells.some(({ method }) => method.match)) return undefined
  const groups = new Map<string, Group>()
  for (const cell of plan.cells) {
    const { match } = cell.method
    if (match) for (const label of [match.method, match.baseline]) groups.set(keyOf(cell, label), newGroup())
  }
  const groupOf = (trial: Trial) => groups.get(keyOf(trial.cell, trial.cell.method.label))
  const byId = new Map<string, Trial>()
  for (const trial of plan) {
    const group = groupOf(trial)
    if (!group) continue
    group.pending++
    byId.set(trial.id, trial)
  }
  const endTrial: Matching['endTrial'] = (trial, record) => {
    const group = groupOf(trial)
    if (!group) return
    if (record) addSpend(group.spend, record)
    else group.isOpen = true
    if (--group.pending === 0) group.resolveEnded()
  }
  for (const record of earlier()) {
    const trial = byId.get(record.trial)
    if (trial) endTrial(trial, record)
  }
  return {
    endTrial,
    async budget(trial) {
      const { match } = trial.cell.method
      if (!match) return undefined
      const [of, one] = [match.method, match.baseline].map(
        (label) => groups.get(keyOf(trial.cell, label)) as Group,
      )
      await Promise.all([of?.ended, one?.ended])
      if (!of || !one || of.isOpen || one.isOpen) return undefined
      return () => computeMatch(match, of.spend, one.spend)
    },
  }
}

/** Returns the key of a group: the trials of one task, method and set of agents. */
const keyOf = ({ task, agentSet }: Cell, label: string) => JSON.stringify([task, label, agentSet])

function newGroup(): Group {
  let resolveEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve
  })
  return { spend: noSpend(), pending: 0, isOpen: false, ended, resolveEnded }
}
