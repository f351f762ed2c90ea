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
  expect(machineSummary(record, 'The fan sounded\nlike a jet.')).toBe(`# Workflow post

**Status:** ended in complete after 2 states and 2 s; hands in drafts/ada.md.
A call did not report its cost, so no rule about cost could break.

## Path

1. draft: partial_success → audit; ben timeout
2. draft, visit 2

## Tokens

| agent | state | calls | input | output | cost |
| --- | --- | ---: | ---: | ---: | ---: |
| ada | draft | 1 | 100 | 10 | $0.0100 |
| ben | draft | 1 | 100 | 10 | unknown |
| orchestrator | at loop_warning | 1 | 100 | 10 | $0.0100 |
| **all** | | 3 | 300 | 30 | unknown |

## Outputs

| output | agent | words | begins |
| --- | --- | ---: | --- |
| drafts/ada.md | ada | 312 | The fan \\| sounded … |

## Scores

| target | criterion | auditor | state | score |
| --- | --- | --- | --- | ---: |
| drafts/ada.md | hook | ada | audit | 8 |
| drafts/ada.md | hook | ben | audit | 4 |

## Agreement of auditors

- hook: 6.0 of 10; auditors are 4.0 apart on average; Krippendorff's alpha 0.00 over 1 output

## Quality gates

- check, visit 1, by gate: retry, 4 of 10
  - major: Too long. Fix: Cut it.
  - guidance: Be brief.

## Guidance

- from gate for draft, read in visit 2: Be brief.
- from person for draft, never read: Mind it.

## Breaks

- cycle, from check to draft: it came twice

## Decisions of the orchestrator

- loop_warning after check: force_complete with drafts/ada.md from audit. Good enough.

## Answers of people

- ask: feedback: Shorter.

## Delivered

drafts/ada.md, 6 words:

> The fan sounded
> like a jet.
`)
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
  expect(machineSummary({ ...empty, costUnknown: undefined, ended: null, delivered: null })).toBe(
    '# Workflow post\n\n**Status:** in no state after 0 states and 0 s; nothing is handed in.\n',
  )
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
