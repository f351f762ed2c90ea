import { describe, expect, it } from 'vitest'
import { createCoordination } from '../../../src/analysis/coordination/coordination.ts'
import { noTokens, type TrialCoordination } from '../../../src/analysis/coordination/trial-coordination.ts'
import { record } from '../../helpers/runs/run-files.ts'

const trial = (change: Partial<TrialCoordination> = {}): TrialCoordination => ({
  ...{ calls: 1, turns: 1, checks: 0, tokens: 100, byKind: { ...noTokens(), work: 100 }, costUsd: 0.1 },
  ...{ unreportedTokens: 0, unreportedCost: 0, messages: 0, messageKept: null, requestKept: 1 },
  ...{ summaryLost: null, workMs: 1000, pathMs: 1000, context: new Map() },
  ...change,
})

const of = (method: string, task: string) => ({ ...record('t'), method, task })

describe('coordination of methods', () => {
  it('gives each overhead separately, paired by task as a ratio of means', () => {
    const sums = createCoordination({ baseline: 'one', methods: ['one', 'many'] })
    sums.add(of('one', 'a'), trial())
    sums.add(of('one', 'b'), trial({ tokens: 300, pathMs: 3000 }))
    sums.add(of('one', 'c'), trial({ tokens: 9999 }))
    sums.add(of('many', 'a'), trial({ tokens: 300, calls: 4, turns: 3, workMs: 4000, pathMs: 2000 }))
    sums.add(of('many', 'b'), trial({ tokens: 500, calls: 4, turns: 3, workMs: 4000, pathMs: 2000 }))
    const [one, many] = sums.result()
    expect(one).toMatchObject({ isBaseline: true, overhead: null })
    expect(many).toMatchObject({ isBaseline: false, parallelism: 2, trials: 2 })
    // (300 + 500) / (100 + 300), not the mean of 3 and 1.67; task c has no pair.
    expect(many?.overhead).toEqual({ tokens: 100, calls: 300, turns: 200, costUsd: 0, pathMs: 0 })
  })

  it('gives tasks the same weight, however many epochs they have', () => {
    const sums = createCoordination({ baseline: null, methods: [] })
    for (const tokens of [100, 100, 100]) sums.add(of('m', 'a'), trial({ tokens }))
    sums.add(of('m', 'b'), trial({ tokens: 200 }))
    expect(sums.result()[0]?.perTrial.tokens).toBe(150)
  })

  it('has no mean of bills with unreported calls, and leaves out missing trials', () => {
    const sums = createCoordination({ baseline: null, methods: [] })
    sums.add(of('m', 'a'), trial({ unreportedTokens: 1, unreportedCost: 1 }))
    sums.add({ ...of('m', 'a'), outcome: { status: 'error', reason: 'network' } }, trial({ calls: 99 }))
    expect(sums.result()[0]).toMatchObject({ trials: 1, perTrial: { tokens: null, costUsd: null, calls: 1 } })
  })
})
