import { describe, expect, it } from 'vitest'
import { createSummary } from '../../src/analysis/summarize.ts'
import { rowOf, summarize } from '../helpers/runs/summaries.ts'
import { aRecord } from './records.ts'

describe('spending', () => {
  it('is the mean of task means, failed trials included', () => {
    const records = [
      aRecord({ task: 's/1', epoch: 1, spent: { input: 100, output: 10, cached: 4, costUsd: 1 } }),
      aRecord({
        task: 's/1',
        epoch: 2,
        passed: false,
        spent: { input: 300, output: 30, cached: 8, costUsd: 3 },
      }),
      aRecord({ task: 's/2', passed: false, spent: { input: 600, output: 60, cached: 0, costUsd: 6 } }),
    ]
    const row = rowOf(summarize(records), 'a')
    // (200 + 600) / 2, (20 + 60) / 2, (6 + 0) / 2, (2 + 6) / 2
    expect(row.tokens.input.value).toBe(400)
    expect(row.tokens.output.value).toBe(40)
    expect(row.tokens.cached.value).toBe(3)
    expect(row.tokens.total).toEqual({ value: 440, lowerBound: false })
    expect(row.cost.perTrial).toEqual({ value: 4, lowerBound: false })
    expect(row.cost.total).toEqual({ value: 10, lowerBound: false })
    // Mean cost 4, mean success (0.5 + 0) / 2.
    expect(row.costPerSuccess).toMatchObject({
      estimate: 16,
      trials: 3,
      tasks: 2,
      solvedTasks: 1,
      dropped: 0,
    })
  })

  it('is a lower bound if calls were not reported, and cost per success leaves those trials out', () => {
    const records = [
      aRecord({ task: 's/1', spent: { costUsd: 1 } }),
      aRecord({
        task: 's/2',
        spent: { input: 40, output: 0, costUsd: 0.5, calls: 3, unreportedTokens: 2, unreportedCost: 1 },
      }),
    ]
    const row = rowOf(summarize(records), 'a')
    expect(row.tokens.total).toEqual({ value: 70, lowerBound: true })
    expect(row.cost.perTrial).toEqual({ value: 0.75, lowerBound: true })
    expect(row.unreported).toMatchObject({ tokenCalls: 2, tokenTrials: 1, costCalls: 1, costTrials: 1 })
    expect(row.costPerSuccess).toMatchObject({ estimate: 1, trials: 1, dropped: 1 })
  })

  it('is unknown, never 0, if nothing was reported', () => {
    const spent = { input: 0, output: 0, costUsd: null, calls: 2, unreportedTokens: 2, unreportedCost: 2 }
    const row = rowOf(summarize([aRecord({ spent })]), 'a')
    expect(row.tokens.total.value).toBeNull()
    expect(row.cost.perTrial.value).toBeNull()
    expect(row.cost.total.value).toBeNull()
    expect(row.costPerSuccess.estimate).toBeNull()
  })

  it('of a trial that asked nobody is 0', () => {
    const row = rowOf(summarize([aRecord({ spent: { input: 0, output: 0, costUsd: null, calls: 0 } })]), 'a')
    expect(row.cost.total).toEqual({ value: 0, lowerBound: false })
  })

  it('gives iterations and time as medians over tasks, calls and checks as means', () => {
    const records = [1, 2, 9].map((n) =>
      aRecord({ task: `s/${n}`, iterations: n, durationMs: n * 1000, spent: { calls: n, checks: 2 * n } }),
    )
    const row = rowOf(summarize(records), 'a')
    expect([row.iterations, row.clockMs, row.calls, row.checks]).toEqual([2, 2000, 4, 8])
  })

  it('of grading is separate', () => {
    const row = rowOf(summarize([aRecord({ gradingCostUsd: 0.02 })]), 'a')
    expect(row.gradingCostUsd).toBe(0.02)
    expect(row.cost.total.value).toBe(0.1)
  })
})

describe('against the baseline', () => {
  it('the saving is the ratio of means over the tasks that both have, with the success difference', () => {
    const records = [
      aRecord({ method: 'base', task: 's/1', spent: { input: 100, output: 0, costUsd: 2 } }),
      aRecord({ method: 'base', task: 's/2', passed: false, spent: { input: 300, output: 0, costUsd: 2 } }),
      aRecord({ method: 'base', task: 's/3', spent: { input: 5000, output: 0, costUsd: 2 } }),
      aRecord({ method: 'a', task: 's/1', spent: { input: 50, output: 0, costUsd: 3 } }),
      aRecord({ method: 'a', task: 's/2', passed: true, spent: { input: 50, output: 0, costUsd: 3 } }),
      aRecord({ method: 'a', task: 's/3', status: 'error' }),
    ]
    const summary = summarize(records, { baseline: 'base' })
    // 50 against 200 tokens, $3 against $2, on two of three tasks; 100% against 50% solved.
    expect(rowOf(summary, 'a').againstBaseline).toEqual({
      tokens: { percent: 75, tasks: 2, dropped: 1, zeroBaseline: false },
      cost: { percent: -50, tasks: 2, dropped: 1, zeroBaseline: false },
      success: {
        points: 50,
        tasks: 2,
        dropped: 1,
        // The missing trial may have failed (2/3 against 2/3) or passed.
        bounds: { low: 0, high: expect.closeTo(100 / 3) },
      },
    })
    expect(rowOf(summary, 'base')).toMatchObject({ isBaseline: true, againstBaseline: null })
  })

  it('a row has no ratio to a baseline that spent nothing', () => {
    const free = { input: 0, output: 0, costUsd: 0 }
    const summary = summarize([aRecord({ method: 'base', spent: free }), aRecord()], { baseline: 'base' })
    expect(rowOf(summary, 'a').againstBaseline).toMatchObject({
      tokens: { percent: null, zeroBaseline: true },
      cost: { percent: null, zeroBaseline: true },
    })
  })

  it('trials without reported tokens are left out only of the comparison of tokens', () => {
    const records = [
      aRecord({ method: 'base' }),
      aRecord({ spent: { input: 0, output: 0, unreportedTokens: 1 }, passed: false }),
    ]
    const pair = rowOf(summarize(records, { baseline: 'base' }), 'a').againstBaseline
    expect(pair?.tokens).toMatchObject({ percent: null, tasks: 0, dropped: 1 })
    expect(pair?.cost).toMatchObject({ percent: 0, tasks: 1 })
    expect(pair?.success.points).toBe(-100)
  })

  it('a row is compared with the baseline that has the same agents', () => {
    const records = [
      aRecord({ method: 'base', agents: 'x', spent: { input: 100, output: 0 } }),
      aRecord({ method: 'base', agents: 'y', spent: { input: 1000, output: 0 } }),
      aRecord({ agents: 'x', spent: { input: 50, output: 0 } }),
      aRecord({ agents: 'y', spent: { input: 100, output: 0 } }),
    ]
    const rows = summarize(records, { baseline: 'base' }).methods.filter((row) => row.method === 'a')
    expect(rows.map((row) => [row.agents, row.againstBaseline?.tokens.percent])).toEqual([
      ['x', 50],
      ['y', 90],
    ])
  })

  it('nothing is compared if the baseline has no record', () => {
    const summary = summarize([aRecord()], { baseline: 'base', methods: ['base', 'a'] })
    expect(rowOf(summary, 'a').againstBaseline).toBeNull()
    expect(summary.absent).toEqual(['base'])
  })
})

it("a summary gives what a method saves against each other method, the baseline and the document's comparison included", () => {
  const summary = createSummary({ baseline: 'baseline' })
  for (const [method, tokens] of [
    ['baseline', 100],
    ['sequential', 300],
    ['integrated', 600],
  ] as const)
    summary.add(aRecord({ method, spent: { input: tokens, output: 0 } }))
  const row = summary.result().methods.find(({ method }) => method === 'sequential')
  expect(row?.againstBaseline?.tokens.percent).toBeCloseTo(-200)
  expect(row?.againstOthers.map(({ method, tokens }) => [method, tokens.percent])).toEqual([
    ['integrated', 50],
  ])
})
