import type { AgentRun, MachineRecord, StateVisit } from '../../../src/schema/machine/machine-record.ts'

/** A run of an agent that wrote `PATH`; it spent 100 + 20 tokens and $0.01 in one call. */
export function agentRun(agent: string, path?: string, change: Partial<AgentRun> = {}): AgentRun {
  const output = path && { path, words: 12, preview: `The first words of ${agent}`, sha256: 'f'.repeat(64) }
  return {
    agent,
    status: 'done',
    ...(output && { output }),
    ms: 2000,
    spent: { calls: 1, input: 100, output: 20, costUsd: 0.01 },
    ...change,
  }
}

/** A visit that took 2 s. */
export function stateVisit(
  [state, result, next]: readonly [state: string, result: string | null, next: string | null],
  runs: readonly AgentRun[] = [],
  change: Partial<StateVisit> = {},
): StateVisit {
  const type =
    runs.length > 1 ? 'fan-out' : runs.length === 1 ? 'single' : next === null ? 'terminal' : 'initial'
  return {
    ...{ state, type, visit: 1, at: 0, ms: runs.length > 0 ? 2000 : 0, runs: [...runs], actions: [] },
    ...{ result, next, ...change },
  }
}

const scores = (visit: number, values: readonly (readonly [auditor: string, score: number])[]) =>
  values.map(([auditor, score]) => ({
    ...{ state: 'audit', visit, auditor, target: 'drafts/a.md', criterion: 'clarity', score },
  }))

/**
 * A workflow of two drafters of which one ran out of time, two auditors, a gate that asked for one retry, a break of a rule and
 * the orchestrator's decision on it, and an approval.
 */
export function machineRecord(change: Partial<MachineRecord> = {}): MachineRecord {
  const late = agentRun('b', undefined, { status: 'timeout', error: 'no reply within 300 s' })
  return {
    name: 'post',
    workflow: 'post-pipeline',
    digest: 'd'.repeat(64),
    personas: { writer: 'e'.repeat(64) },
    visits: [
      stateVisit(['start', 'next', 'draft'], [], { actions: [{ action: 'log', text: 'begins' }] }),
      stateVisit(['draft', 'partial_success', 'audit'], [agentRun('a', 'drafts/a.md'), late]),
      stateVisit(
        ['audit', 'all_success', 'check'],
        [agentRun('a', 'audits/a.md'), agentRun('b', 'audits/b.md')],
      ),
      stateVisit(['check', 'retry', 'draft'], [agentRun('a', 'check.md')]),
      stateVisit(
        ['draft', 'all_success', 'audit'],
        [agentRun('a', 'drafts/a.md'), agentRun('b', 'drafts/b.md')],
        {
          visit: 2,
        },
      ),
      stateVisit(
        ['audit', 'all_success', 'ok'],
        [agentRun('a', 'audits/a.md'), agentRun('b', 'audits/b.md')],
        {
          visit: 2,
        },
      ),
      stateVisit(['ok', 'approved', 'end'], [], { type: 'human-approval' }),
      stateVisit(['end', null, null]),
    ],
    breaks: [
      {
        rule: 'state_visits',
        hard: false,
        fact: 'draft was entered 2 times',
        from: 'check',
        to: 'draft',
        at: 6000,
      },
    ],
    decisions: [
      {
        trigger: 'loop_warning',
        state: 'check',
        at: 6000,
        decision: 'proceed',
        reasoning: 'One more attempt is worth it.',
        guidance: 'Name the numbers.',
        spent: { calls: 1, input: 25, output: 5, costUsd: 0.001 },
      },
    ],
    gates: [
      {
        state: 'check',
        visit: 1,
        agent: 'a',
        decision: 'retry',
        quality_score: 5,
        issues: [{ severity: 'major', issue: 'No numbers.' }],
        retry_guidance: 'Add the numbers.',
      },
    ],
    scores: [
      ...scores(1, [
        ['a', 6],
        ['b', 4],
      ]),
      ...scores(2, [
        ['a', 9],
        ['b', 8],
      ]),
    ],
    guidance: [{ state: 'draft', from: 'gate', text: 'Add the numbers.', visit: 2 }],
    approvals: [{ state: 'ok', decision: 'approved', feedback: '' }],
    ended: 'end',
    delivered: 'drafts/a.md',
    ...change,
  }
}
