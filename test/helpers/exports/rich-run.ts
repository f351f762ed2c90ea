import { join } from 'node:path'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../machine/temp.ts'
import { manifest, record } from '../runs/run-files.ts'
import { writeRun } from '../runs/write-run.ts'

/** A step without what all steps have. */
type Given = { key: string; kind: Step['kind'] } & Record<string, unknown>

/** Returns a step of trial `a`. */
const step = (given: Given): Step =>
  ({
    ...{ trial: 'a', attempt: 1, payer: 'method', hash: 'a1'.repeat(32), at: 0, durationMs: 10 },
    ...given,
  }) as unknown as Step

const ask = (key: string, at: number, change: object = {}): Step =>
  step({
    ...{
      key,
      kind: 'ask',
      at,
      role: 'solver',
      work: 'produce',
      agent: 'anthropic:claude-x',
      simulated: false,
    },
    ...{ system: 'You solve.', prompt: 'Secret prompt?', reply: 'Secret reply.', costUsd: 0.5, waitMs: 0 },
    tokens: { input: 100, output: 10, cached: 40, reasoning: 4 },
    ...change,
  })

const call = (key: string, at: number, id: string, given: string, change: object = {}): Step =>
  step({
    ...{ key, kind: 'tool', at, role: 'solver', agent: 'anthropic:claude-x', outcome: 'ok' },
    ...{ call: { id, name: 'read', arguments: given }, result: 'Secret result.' },
    ...change,
  })

/** A trial of each kind of step: calls of tools, one with arguments that are no object, a stage, a step of a graph, a failure, a judge. */
export const richSteps: readonly Step[] = [
  ask('#0.1', 0, {
    reply: 'I look.',
    finish: 'tool-call',
    model: 'claude-x-1',
    toolCalls: [
      { id: 'c1', name: 'read', arguments: '{"path":"a","depth":2}' },
      { id: 'c2', name: 'read', arguments: '[broken' },
    ],
  }),
  call('#0.1.1', 10, 'c1', '{"path":"a","depth":2}'),
  call('#0.1.2', 20, 'c2', '[broken', { outcome: 'invalid' }),
  ask('#0.2', 30, { finish: 'stop' }),
  step({ key: '#1', kind: 'check', at: 40, status: 'failed', passed: 1, total: 3, output: 'Secret output.' }),
  ask('build#0', 50, { agent: 'fast=openai:gpt-y', session: 's', retry: true, attempt: 2 }),
  ask('build#0', 45, {
    ...{ agent: 'fast=openai:gpt-y', reply: undefined, costUsd: null },
    ...{
      error: { reason: 'server', message: 'Secret failure.' },
      tokens: { input: null, output: null, cached: null },
    },
  }),
  step({
    ...{ key: '#2', kind: 'stage', at: 45, durationMs: 30, stage: 'build', command: ['node', 'build.mjs'] },
    ...{ programs: 'p', files: null, exitCode: 1, before: '{}', output: 'Secret output.', asks: 1 },
  }),
  ask('graph/join#0', 80, { agent: 'claude-cli:claude-x', requests: 3 }),
  step({ key: 'graph#1', kind: 'graph', at: 80, durationMs: 12, step: 'join' }),
  ask('grade!rubric/0#0', 95, { payer: 'grading', role: 'judge', work: 'judge', agent: 'google:gemini' }),
  step({
    ...{ key: 'grade#0', kind: 'grade', at: 99, payer: 'grading', passed: true },
    scores: [{ name: 'tests', value: 1, reason: 'Secret reason.' }],
  }),
]

/** Records of a live run of two methods: passed with a limit, failed, without a verdict, broken, and one of which little is known. */
export const richRecords: readonly TrialRecord[] = [
  {
    ...record('a'),
    ...{ agents: { solver: 'anthropic:claude-x', judge: 'fast=openai:gpt-y' }, answer: 'Secret answer.' },
    scores: [{ name: 'tests', value: 0.75, reason: 'Secret reason.' }],
    ...{ durationMs: 120.25, score: 0.75, outcome: { status: 'limited', reason: 'calls' } },
    spent: { ...record('a').spent, input: 700, output: 70, cached: 280, costUsd: 3.5, calls: 7 },
  },
  {
    ...record('b'),
    epoch: 2,
    agents: { solver: 'anthropic:claude-x', judge: 'fast=openai:gpt-y' },
    passed: false,
    score: 0,
    answer: '41',
  },
  {
    ...record('c'),
    ...{ method: 'other[n=2]', agents: 'anthropic:claude-x', passed: null, score: null, scores: [] },
  },
  {
    ...record('d'),
    ...{
      method: 'other[n=2]',
      agents: 'anthropic:claude-x',
      epoch: 2,
      passed: null,
      score: null,
      scores: [],
    },
    outcome: { status: 'error', reason: 'the server was down' },
  },
  {
    ...record('e'),
    ...{ method: 'other[n=2]', agents: 'anthropic:claude-x', epoch: 3, durationMs: null, recorded: true },
    spent: { ...record('e').spent, costUsd: null, unreportedCost: 1, unreportedTokens: 1 },
  },
]

const method = manifest.methods[0] as RunManifest['methods'][number]

/** Writes a run in a folder of its own, with all that a record and a step may say if none are given; returns the folder. */
export function richRun(
  changes: Partial<RunManifest> = {},
  {
    recorded = richRecords,
    steps = richSteps,
  }: { recorded?: readonly TrialRecord[]; steps?: readonly Step[] } = {},
): string {
  const folder = join(tempFolder(), 'run')
  writeRun(folder, { methods: [method, { ...method, label: 'other[n=2]' }], ...changes }, recorded, steps)
  return folder
}
