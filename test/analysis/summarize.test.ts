import { describe, expect, it } from 'vitest'
import { createSummary } from '../../src/analysis/summarize.ts'
import { UserError } from '../../src/text/errors.ts'
import { rowOf, summarize } from '../helpers/runs/summaries.ts'
import { aRecord } from './records.ts'

describe('success', () => {
  it('with one epoch has a Wilson interval over tasks', () => {
    const records = Array.from({ length: 24 }, (_, i) => aRecord({ task: `s/${i}`, passed: i < 18 }))
    const { success, trials } = rowOf(summarize(records), 'a')
    expect(success).toMatchObject({ estimate: 0.75, interval: 'wilson', tasks: 24 })
    expect(success.lower).toBeCloseTo(0.55100555994846, 8)
    expect([trials.graded, trials.passed]).toEqual([24, 18])
  })

  it('weighs tasks the same, however often each was tried', () => {
    // Task means 1, 1/3 and 0: their mean is 4/9, while 4 of 8 trials passed.
    const passed = { 's/1': [true, true, true], 's/2': [true, false, false], 's/3': [false, false] }
    const records = Object.entries(passed).flatMap(([task, epochs]) =>
      epochs.map((pass, i) => aRecord({ task, epoch: i + 1, passed: pass })),
    )
    const row = rowOf(summarize(records), 'a')
    expect(row.success.estimate).toBeCloseTo(4 / 9, 12)
    expect(row.success).toMatchObject({ interval: 'korn-graubard', tasks: 3 })
    expect(row.epochs).toEqual({ min: 2, max: 3 })
    expect(row.trials).toMatchObject({ graded: 8, passed: 4 })
  })

  it('of one task has no interval, however many epochs', () => {
    const records = [true, false, true].map((passed, i) => aRecord({ epoch: i + 1, passed }))
    expect(rowOf(summarize(records), 'a').success).toEqual({
      estimate: 2 / 3,
      lower: null,
      upper: null,
      interval: null,
      tasks: 1,
    })
  })

  it('is unknown, not 0, if nothing was graded', () => {
    const row = rowOf(summarize([aRecord({ passed: null })]), 'a')
    expect(row.success.estimate).toBeNull()
    expect(row.score).toBeNull()
    expect(row.costPerSuccess.estimate).toBeNull()
    expect(row.trials).toMatchObject({ run: 1, ungraded: 1, graded: 0 })
    expect(row.tokens.total.value).toBe(100)
  })
})

describe('missing trials', () => {
  const records = [
    aRecord({ task: 's/1' }),
    aRecord({ task: 's/2', status: 'error', spent: { input: 9999, costUsd: 5 } }),
    aRecord({ task: 's/3', status: 'cancelled' }),
    aRecord({ task: 's/4', status: 'limited', passed: false }),
    aRecord({ task: 's/5', status: 'failed', passed: false }),
  ]

  it('are counted separately and are not failures; trials of limited and broken methods are', () => {
    const row = rowOf(summarize(records, { baseline: null, planned: 7 }), 'a')
    expect(row.trials).toEqual({
      planned: 7,
      run: 5,
      notRun: 2,
      error: 1,
      cancelled: 1,
      ungraded: 0,
      graded: 3,
      passed: 1,
    })
    expect(row.success.estimate).toBeCloseTo(1 / 3, 12)
    expect(row.outcomes).toEqual({ completed: 1, limited: 1, failed: 1, error: 1, cancelled: 1 })
  })

  it('are left out of the means but not of the bill', () => {
    const row = rowOf(summarize(records), 'a')
    expect(row.tokens.input.value).toBe(80)
    expect(row.cost.perTrial.value).toBeCloseTo(0.1, 12)
    // 0.1 four times, and 5 of the one that ended in an error.
    expect(row.cost.total.value).toBeCloseTo(5.4, 12)
  })
})

describe('a summary', () => {
  it('rejects simulated records together with live ones', () => {
    const live = aRecord()
    const simulated = aRecord({ method: 'b', simulated: true })
    expect(() => summarize([live, simulated])).toThrow(UserError)
    expect(() => summarize([simulated, live])).toThrow(/simulated and live/)
  })

  it('counts a dev trial that broke before its first ask as simulated', () => {
    const spent = { input: 0, output: 0, costUsd: null, calls: 0 }
    const records = [
      aRecord({ mode: 'dev', simulated: true, profile: 'p' }),
      aRecord({ mode: 'dev', task: 's/2', status: 'error', spent }),
    ]
    expect(summarize(records)).toMatchObject({ simulated: true, profiles: ['p'] })
  })

  it.each([[[1, 31, 32, 33, 64]], [[1, 2, 3, 4]], [[4, 2, 1, 3, 6]]])(
    'rejects an epoch that occurs twice, in any order: %j',
    (epochs) => {
      for (const epoch of epochs) {
        const others = epochs.filter((other) => other !== epoch).map((other) => aRecord({ epoch: other }))
        expect(() => summarize(others)).not.toThrow()
        expect(() => summarize([...others, aRecord({ epoch }), aRecord({ epoch })])).toThrow(/occurs twice/)
      }
    },
  )

  it('accepts one strategy under two labels, as in an A/A run', () => {
    const summary = summarize([aRecord({ method: 'A' }), aRecord({ method: 'B' })])
    expect(summary.methods.map((row) => row.method)).toEqual(['A', 'B'])
  })
})

it('rows are in the order of the requested methods', () => {
  const records = ['c', 'a', 'b'].map((method) => aRecord({ method }))
  expect(
    summarize(records, { baseline: null, methods: ['b', 'c'] }).methods.map((row) => row.method),
  ).toEqual(['b', 'c', 'a'])
})

it('the same records give the same summary, and asking for it changes nothing', () => {
  const records = Array.from({ length: 60 }, (_, i) =>
    aRecord({ task: `s/${i % 7}`, epoch: i + 1, passed: i % 3 > 0, spent: { costUsd: 0.1 * i } }),
  )
  const summary = createSummary({ baseline: null })
  for (const record of records) {
    summary.add(record)
    summary.result()
  }
  expect(JSON.stringify(summary.result())).toBe(JSON.stringify(summarize(records)))
})

it('100,000 records are reduced to a few sums per method and task', () => {
  const size = (trials: number) => {
    const summary = createSummary({ baseline: 'm0' })
    for (let i = 0; i < trials; i++) {
      summary.add(
        aRecord({
          task: `s/${i % 10}`,
          method: `m${Math.floor(i / 10) % 2}`,
          epoch: Math.floor(i / 20) + 1,
          passed: i % 3 > 0,
        }),
      )
    }
    const result = summary.result()
    expect(result.records).toBe(trials)
    expect(result.methods.reduce((sum, row) => sum + row.trials.run, 0)).toBe(trials)
    return { cells: result.methods.flatMap((row) => row.cells).length, json: JSON.stringify(result).length }
  }
  const small = size(1000)
  const large = size(100_000)
  expect(large.cells).toBe(small.cells)
  // Only the digits of the counts may grow.
  expect(large.json - small.json).toBeLessThan(500)
})

it('100,000 tasks do not overflow the stack', () => {
  const summary = createSummary({ baseline: null })
  for (let i = 0; i < 100_000; i++) summary.add(aRecord({ task: `s/${i}`, passed: i % 2 === 0 }))
  expect(rowOf(summary.result(), 'a').success).toMatchObject({ estimate: 0.5, tasks: 100_000 })
})

describe('spending', () => {
  it('has the 95th percentiles of trials, without missing ones, and none of costs that are partly unknown', () => {
    const records = Array.from({ length: 21 }, (_, epoch) =>
      aRecord({ epoch: epoch + 1, durationMs: 1000 * epoch, spent: { costUsd: epoch } }),
    )
    const failed = aRecord({ epoch: 22, status: 'error', durationMs: 1e9, spent: { costUsd: 1e9 } })
    expect(rowOf(summarize([...records, failed]), 'a').p95).toEqual({ costUsd: 19, durationMs: 19_000 })
    const unpriced = aRecord({ epoch: 23, durationMs: 500, spent: { costUsd: null } })
    expect(rowOf(summarize([...records, unpriced]), 'a').p95.costUsd).toBeNull()
  })

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
