import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'

const common = (trial: string, key: string) => ({
  trial,
  key,
  attempt: 1,
  payer: 'method' as const,
  hash: 'a1'.repeat(32),
  at: 0,
  durationMs: 12.5,
})

const asked = (trial: string, key: string): Step => ({
  ...common(trial, key),
  kind: 'ask',
  role: 'solver',
  work: 'produce',
  agent: 'test:model',
  simulated: false,
  prompt: 'Write "é" — and 😀.\nThen stop.',
  reply: 'FILE: a.mjs\n```\nexport const a = 1\n```\n',
  changeSet: {
    source: 'reply',
    changes: [{ path: 'a.mjs', mode: '100644', before: null, after: 'b2'.repeat(32) }],
  },
  tokens: { input: 100, output: 10, cached: null },
  costUsd: 0.0125,
  waitMs: 0,
})

/** One step of each kind, of two trials. */
export const steps: readonly Step[] = [
  asked('a', '#0'),
  {
    ...common('a', '#1'),
    kind: 'check',
    status: 'failed',
    passed: 1,
    total: 3,
    output: 'expected 1\n  got 2',
  },
  { ...common('a', '#2'), kind: 'first', winner: 'left' },
  asked('b', 'left#0'),
  { ...common('a', '#3'), kind: 'approval', question: 'Go on?', decision: 'feedback', feedback: 'Yes, but.' },
  {
    ...common('a', '#4'),
    kind: 'state',
    state: { round: 2, open: ['x', { y: null }] },
    iteration: { outer: 1, inner: 'a' },
  },
  { ...common('b', '#5'), kind: 'limit', scope: 'trial', limit: 'calls', reason: '2 of 2 calls used' },
  { ...common('b', '#6'), payer: 'void', kind: 'void', keys: ['left#0/1'], reason: 'the request differs' },
  asked('b', 'left#0'),
  {
    ...common('a', 'grade#0'),
    payer: 'grading',
    kind: 'grade',
    scores: [{ name: 'tests', value: 0.5, reason: '1 of 2' }],
    passed: false,
  },
]

/** A trial's record as a run writes it. */
export const record = (trial: string): TrialRecord => ({
  schemaVersion: 1,
  trial,
  task: 'suite/task',
  suite: 'suite',
  method: 'baseline',
  agents: 'test:model',
  epoch: 1,
  mode: 'live',
  simulated: false,
  profile: null,
  outcome: { status: 'completed', reason: '' },
  claimed: 'done',
  passed: true,
  score: 1,
  scores: [{ name: 'tests', value: 1, reason: '2 of 2, "é"' }],
  delivered: 'c3'.repeat(32),
  spent: {
    input: 100,
    output: 10,
    cached: 0,
    costUsd: 0.0125,
    calls: 1,
    checks: 0,
    unreportedTokens: 0,
    unreportedCost: 0,
  },
  gradingCostUsd: 0,
  iterations: 1,
  durationMs: 1250.5,
  state: { round: 1 },
  fidelity: { status: 'kept' },
  wall: { startedAt: '2026-01-01T00:00:00.000Z', ms: 12 },
})

/** A run.json as a run writes it. */
export const manifest: RunManifest = {
  schemaVersion: 1,
  id: 'run',
  createdAt: '2026-01-01T00:00:00.000Z',
  versions: { bench: '0.1.0', node: '20.0.0', platform: 'linux-x64' },
  git: { commit: 'abc', dirty: false },
  mode: 'live',
  simulated: false,
  cwd: '/home/someone',
  seed: 1,
  epochs: 2,
  taskSelectors: ['all'],
  tasks: [{ ref: 'suite/task', digest: 'd4'.repeat(32) }],
  methods: [
    { label: 'baseline', strategy: 'baseline', options: { deep: { x: [1, 'é'] } }, digest: 'e5'.repeat(32) },
  ],
  agents: { '*': 'test:model' },
  profile: null,
  limits: { calls: 3 },
  preamble: 'f6'.repeat(32),
  baseline: 'baseline',
  trials: 2,
}
