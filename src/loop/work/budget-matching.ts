import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Cell, Trial } from '../../schema/ledger/trial.ts'
import type { Plan } from '../plan/plan.ts'
import { addSpend, computeMatch, noSpend, type TaskSpend } from '../trial/matched-attempts.ts'

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
