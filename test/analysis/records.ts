import type { TrialRecord } from '../../src/schema/ledger/record.ts'

type Changes = Partial<Omit<TrialRecord, 'spent' | 'outcome'>> & {
  spent?: Partial<TrialRecord['spent']>
  status?: TrialRecord['outcome']['status']
}

/** A live, passed trial of method `a` on task `s/1` that spent 80 + 20 tokens and $0.10, except for the given fields. */
export function aRecord({ spent, status = 'completed', ...changes }: Changes = {}): TrialRecord {
  const missing = status === 'error' || status === 'cancelled'
  const passed = changes.passed !== undefined ? changes.passed : missing ? null : true
  const { task = 's/1', method = 'a', epoch = 1 } = changes
  return {
    schemaVersion: 1,
    trial: `${task}|${method}|${epoch}`,
    task,
    suite: 's',
    method,
    agents: 'scripted',
    epoch,
    mode: 'live',
    simulated: false,
    profile: null,
    outcome: { status, reason: '' },
    claimed: 'done',
    score: passed === null ? null : passed ? 1 : 0,
    scores: [],
    delivered: 'a hash',
    spent: {
      input: 80,
      output: 20,
      cached: 0,
      costUsd: 0.1,
      calls: 1,
      checks: 0,
      unreportedTokens: 0,
      unreportedCost: 0,
      // The cost without caching.
      listCostUsd: spent?.costUsd === undefined ? 0.1 : spent.costUsd,
      unknownListCost: spent?.unreportedCost ?? 0,
      ...spent,
    },
    gradingCostUsd: null,
    iterations: 1,
    durationMs: 1000,
    fidelity: { status: 'kept' },
    wall: { startedAt: '2025-01-01T00:00:00.000Z', ms: 1 },
    ...changes,
    passed,
  }
}
