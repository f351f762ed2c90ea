import { expect, it } from 'vitest'
import type { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { machineSummary } from '../../../src/workflows/machine/enter-state.ts'

const spent = { calls: 1, input: 100, output: 10, costUsd: 0.01 }
const record: MachineRecord = {
  ...{ name: 'post', workflow: 'post.yaml', digest: 'd', personas: {} },
  visits: [
    {
      ...{ state: 'draft', type: 'fan-out', visit: 1, at: 0, ms: 1500, actions: [] },
      ...{ result: 'partial_success', next: 'audit' },
      runs: [
        {
          ...{ agent: 'ada', status: 'done', ms: 1500, spent },
          output: { path: 'drafts/ada.md', words: 312, preview: 'The fan | sounded …', sha256: 'x' },
        },
        { agent: 'ben', status: 'timeout', ms: 1500, spent: { ...spent, costUsd: null } },
      ],
    },
    {
      ...{ state: 'draft', type: 'fan-out', visit: 2, at: 1500, ms: 500, actions: [], runs: [] },
      ...{ result: null, next: null },
    },
  ],
  breaks: [{ rule: 'cycle', hard: false, fact: 'it came twice', from: 'check', to: 'draft', at: 0 }],
  costUnknown: true,
  decisions: [
    {
      ...{
        trigger: 'loop_warning',
        state: 'check',
        at: 0,
        decision: 'force_complete',
        reasoning: 'Good enough.',
      },
      ...{ use_output: 'drafts/ada.md', goes_to: 'audit', spent },
    },
  ],
  gates: [
    {
      ...{ state: 'check', visit: 1, agent: 'gate', decision: 'retry', quality_score: 4 },
      ...{ issues: [{ severity: 'major', issue: 'Too long.', fix: 'Cut it.' }], retry_guidance: 'Be brief.' },
    },
  ],
  scores: ['ada', 'ben'].map((auditor, i) => ({
    ...{ state: 'audit', visit: 1, auditor, target: 'drafts/ada.md', criterion: 'hook', score: 8 - 4 * i },
  })),
  guidance: [
    { state: 'draft', from: 'gate', text: 'Be brief.', visit: 2 },
    { state: 'draft', from: 'person', text: 'Mind it.', visit: null },
  ],
  approvals: [{ state: 'ask', decision: 'feedback', feedback: 'Shorter.' }],
  ...{ ended: 'complete', delivered: 'drafts/ada.md' },
}

it('a summary tells a person what happened in a machine', () => {
  expect(machineSummary(record, 'The fan sounded\nlike a jet.')).toMatchSnapshot()
})

it('a summary of a machine that has done nothing yet is short', () => {
  const empty = {
    ...record,
    visits: [],
    breaks: [],
    decisions: [],
    gates: [],
    scores: [],
    guidance: [],
    approvals: [],
  }
  expect(machineSummary({ ...empty, costUnknown: undefined, ended: null, delivered: null })).toMatchSnapshot()
})

it('what agents and people say stays in its own line', () => {
  const said = 'Be brief.\r\n\n# Path\n1. nowhere'
  const [gate] = record.gates
  const [decision] = record.decisions
  if (!gate || !decision) throw new Error('the record has neither')
  const lines = machineSummary({
    ...record,
    gates: [{ ...gate, retry_guidance: said }],
    decisions: [{ ...decision, reasoning: said }],
    guidance: [{ state: 'draft', from: 'person', text: said, visit: 2 }],
    approvals: [{ state: 'approve', decision: 'feedback', feedback: said }],
  }).split('\n')
  expect(lines.filter((line) => line.endsWith('Be brief. # Path 1. nowhere'))).toHaveLength(4)
  expect(lines).not.toContain('# Path')
})
