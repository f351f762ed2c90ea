import type { TrialRecord } from '../../schema/ledger/record.ts'
import { WorkflowId } from '../../schema/stage/chain-state.ts'

/**
 * Returns the branch of a trial's graded files: that of the chained workflow whose state the record's state is, or holds as `state`; else
 * `bench/TRIAL`.
 */
export function branchOf({ trial, state }: Pick<TrialRecord, 'trial' | 'state'>): string {
  const ship = fieldOf(fieldOf(state, 'state') ?? state, 'ship')
  const [, workflow] = /^bench\/(.*)$/s.exec(String(fieldOf(ship, 'branch'))) ?? []
  return WorkflowId.safeParse(workflow).success ? `bench/${workflow}` : `bench/${trial}`
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
