import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { wholeAgentsText } from '../words/agents-text.ts'
import { safeLine } from '../words/safe-text.ts'

/** A row of the page's table of trials, as data for the page's script. */
export interface TrialRow {
  id: string
  task: string
  suite: string
  method: string
  agents: string
  /** Its method with its set of agents, if the run has several sets. */
  row?: string
  epoch: number
  /** Status of its outcome. */
  outcome: string
  passed: 'passed' | 'not passed' | 'not graded'
  /** 0 to 1; null: not graded. */
  score: number | null
  /** Null: unknown, because some calls were not reported. */
  tokens: number | null
  costUsd: number | null
  calls: number
  iterations: number
  ms: number
}

/** Returns the row of a record. `agents` is how tables show those of its method. */
export function trialRow(record: TrialRecord, agents = wholeAgentsText(record.agents)): TrialRow {
  const { spent, passed } = record
  return {
    id: record.trial,
    task: safeLine(record.task),
    suite: safeLine(record.suite),
    method: safeLine(record.method),
    agents: safeLine(agents),
    ...(record.agentSet !== undefined && { row: safeLine(rowName(record.method, record.agentSet)) }),
    epoch: record.epoch,
    outcome: record.outcome.status,
    passed: passed === null ? 'not graded' : passed ? 'passed' : 'not passed',
    score: record.score,
    tokens: spent.unreportedTokens > 0 ? null : spent.input + spent.output,
    costUsd: spent.unreportedCost > 0 ? null : spent.costUsd,
    calls: spent.calls,
    iterations: record.iterations,
    ms: record.durationMs,
  }
}
