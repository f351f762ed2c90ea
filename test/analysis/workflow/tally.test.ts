import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import type { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { agentRun, machineRecord, stateVisit } from '../../helpers/fanout/machine-records.ts'
import { aRecord } from '../records.ts'

/** Returns the sums of trials of one method with these workflows. */
function sumsOf(machines: readonly unknown[]) {
  const summary = createSummary({ baseline: null })
  machines.forEach((machine, place) => {
    summary.add(aRecord({ task: `s/${place}`, state: { machine }, claimed: place === 1 ? 'halted' : 'done' }))
  })
  return summary.result().methods[0]?.machine
}

const short = (): MachineRecord =>
  machineRecord({
    ...{ breaks: [], decisions: [], gates: [], scores: [], guidance: [], approvals: [], delivered: null },
    visits: [
      stateVisit(['start', 'next', 'draft']),
      stateVisit(
        ['draft', 'all_failure', 'failed'],
        [
          agentRun('a', undefined, {
            status: 'failed',
            spent: { calls: 1, input: null, output: null, costUsd: null },
          }),
        ],
      ),
      stateVisit(['failed', null, null]),
    ],
    ended: 'failed',
  })

it('transitions, paths, breaks, decisions, verdicts and ends are counted over the trials of a method', () => {
  const sums = sumsOf([machineRecord(), short(), machineRecord()])
  expect(sums).toMatchObject({
    trials: 3,
    breaks: { state_visits: 2 },
    decisions: { proceed: 2 },
    verdicts: { retry: 2 },
    ends: { done: 2, halted: 1 },
    guidance: { gate: 2 },
    approvals: { approved: 2 },
    runs: { all: 19, failed: 1, timeout: 2 },
    partialFailures: 2,
  })
  const post = { workflow: 'post' }
  expect(sums?.transitions).toContainEqual({
    ...post,
    from: 'start',
    result: 'next',
    to: 'draft',
    times: 3,
    trials: 3,
  })
  expect(sums?.transitions).toContainEqual({
    ...{ ...post, from: 'audit', result: 'all_success', to: 'check', times: 2, trials: 2 },
  })
  expect(sums?.paths.map(({ path, trials }) => [path.at(-1), path.length, trials])).toEqual([
    ['end', 8, 2],
    ['failed', 3, 1],
  ])
})

it('states have their visits, and means per visit that are lower bounds where calls reported nothing', () => {
  const [start, draft] = sumsOf([machineRecord(), short()])?.states ?? []
  expect(start).toMatchObject({
    state: 'start',
    trials: 2,
    visits: 2,
    tokens: { value: 0, lowerBound: false },
  })
  expect(draft).toMatchObject({ state: 'draft', trials: 2, visits: 3, partialFailures: 1, allFailed: 1 })
  expect(draft?.tokens).toEqual({ value: 160, lowerBound: true })
  const [, unknown] = sumsOf([short()])?.states ?? []
  expect(unknown?.costUsd).toEqual({ value: null, lowerBound: false })
})

it('scores of several trials are compared by output, and delivered outputs are listed', () => {
  const sums = sumsOf([machineRecord(), machineRecord()])
  expect(sums?.scores).toMatchObject([
    { criterion: 'clarity', auditors: 2, scores: 8, units: 4, mean: 6.75, spread: 1.5 },
  ])
  expect(sums?.delivered).toMatchObject([
    { task: 's/0', path: 'drafts/a.md', words: 12, preview: 'The first words of a' },
    { task: 's/1' },
  ])
})

it('a state of a strategy of its own that has the same name is ignored', () => {
  expect(sumsOf(['mine', { visits: 3 }])).toBeNull()
})
