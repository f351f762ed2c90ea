import { describe, expect, it } from 'vitest'
import { leadingGroup } from '../../../src/analysis/claims/leading-group.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { compare, onlyPair, repeat, solves, trials } from '../compare/compared.ts'

/** Twelve tasks with two epochs, of which the methods solve different shares. */
const shares = {
  a: ['11', '11', '11', '10', '11', '01', '11', '11', '10', '11', '11', '11'],
  b: ['10', '00', '11', '00', '10', '01', '10', '11', '00', '10', '00', '11'],
}
const records = [...trials('a', shares.a), ...trials('b', shares.b)]

/** Enters each task several times under other names, all in one cluster. */
function copied(list: readonly TrialRecord[], copies: number) {
  const names = Array.from({ length: copies }, (_, copy) => `copy${copy}`)
  const all = names.flatMap((name) =>
    list.map((record) => ({ ...record, task: `${record.task}/${name}`, trial: `${record.trial}/${name}` })),
  )
  return { all, clusters: Object.fromEntries(all.map(({ task }) => [task, task.replace(/\/copy\d$/, '')])) }
}

describe('clusters', () => {
  it('make tasks that are entered five times say what they say once', () => {
    const { all, clusters } = copied(records, 5)
    const options = { margin: 0.1, resamples: 20 }
    const once = onlyPair(compare(records, options))
    const many = onlyPair(compare(all, { ...options, clusters }))
    expect(many.outcome).toMatchObject({ nTasks: 60, nClusters: 12 })
    expect(onlyPair(compare(all, options)).outcome.p as number).toBeLessThan(once.outcome.p as number)
    for (const [ours, theirs] of [
      [many.outcome.p, once.outcome.p],
      [many.outcome.lower, once.outcome.lower],
      [many.outcome.upper, once.outcome.upper],
      [many.notWorse.a.p, once.notWorse.a.p],
      [many.costPerSuccess.lower, once.costPerSuccess.lower],
      [many.costPerSuccess.p, once.costPerSuccess.p],
    ] as [number, number][])
      expect(ours).toBeCloseTo(theirs, 10)
  })

  it('are the units of success and cost of a method, too', () => {
    const { all, clusters } = copied(records, 5)
    const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
      (upper as number) - (lower as number)
    const [by] = compare(all, { clusters }).methods
    const [without] = compare(all).methods
    const [once] = compare(records).methods
    expect(width(by?.success as never)).toBeGreaterThan(width(without?.success as never))
    expect(width(by?.costPerSuccess as never)).toBeCloseTo(width(once?.costPerSuccess as never), 10)
  })

  it('are not tested below six, and not by a stop rule', () => {
    const few = Object.fromEntries(records.map(({ task }, index) => [task, `group ${index % 3}`]))
    const pair = onlyPair(compare(records, { clusters: few }))
    expect(pair.outcome).toMatchObject({ p: null, refusal: 'too-few-clusters' })
    expect(pair).toMatchObject({ adjustedP: null, verdict: { word: 'too-few-tasks' } })
    const stop = { sequence: 'empirical-bernstein', alpha: 0.05, comparisons: 1, hopedTasks: 10 } as const
    const order = [...new Set(records.map(({ task }) => task))]
    const { all, clusters } = copied(records, 2)
    expect(compare(all, { clusters, stop, order, epochs: 2 }).silence).toBe('not-by-cluster')
    expect(compare(records, { stop, order, epochs: 2 }).silence).toBe('stop-rule')
  })

  it('change nothing where each task has its own, or all have one', () => {
    const own = Object.fromEntries(records.map(({ task }) => [task, task]))
    const one = Object.fromEntries(records.map(({ task }) => [task, 'all']))
    for (const clusters of [own, one]) expect(compare(records, { clusters })).toEqual(compare(records))
  })
})

describe('the table of claims', () => {
  const dear = { spent: { costUsd: 0.3, listCostUsd: 0.3 } }
  const three = [...solves('low', 10, 40), ...solves('mid', 14, 40), ...solves('high', 36, 40, dear)]

  it('has each "better" with the p of its family, and nothing of pairs that are open', () => {
    const { claims, pairs, families } = compare(three, { baseline: 'low' })
    const better = claims.filter(({ kind }) => kind === 'better')
    expect(better.map(({ of, than }) => `${of} than ${than}`).toSorted()).toEqual([
      'high than low',
      'high than mid',
    ])
    for (const { of, than, adjustedP } of better)
      expect(adjustedP).toBe(
        pairs.find(({ a, b }) => [a, b].includes(of) && [a, b].includes(than))?.adjustedP,
      )
    expect(families).toEqual(expect.arrayContaining([{ family: 'success', tests: 3, level: 0.05 }]))
  })

  it('adjusts prices over the ratios against the baseline, as a family of its own', () => {
    const { prices, families } = compare(three, { baseline: 'low' })
    expect(prices.map(({ a, b }) => `${a} ${b}`)).toEqual(['high low', 'mid low'])
    const [least, most] = prices.map(({ p }) => p as number).toSorted((a, b) => a - b) as [number, number]
    expect(prices.map(({ adjustedP }) => adjustedP as number).toSorted((a, b) => a - b)).toEqual([
      Math.min(1, 2 * least),
      Math.max(Math.min(1, 2 * least), most),
    ])
    expect(families).toContainEqual({ family: 'price', tests: 2, level: 0.05 })
    expect(compare(three).prices).toHaveLength(3)
  })

  it('claims no price that would not hold with tasks that one method lost whole', () => {
    const [lost, whole] = ['----1111111111111000', '11111111100000000000'] as const
    const records = [...trials('a', [...lost]), ...trials('b', [...whole])]
    const shared = records.filter(({ task }) => task >= 's/004')
    const kindsOf = (some: readonly TrialRecord[]) =>
      compare(some, { baseline: 'a' }).claims.map(({ kind }) => kind)
    expect(kindsOf(shared)).toContain('costs-more')
    expect(kindsOf(records)).toEqual([])
  })

  it('claims nothing of simulated numbers', () => {
    const simulated = three.map((record) => ({ ...record, simulated: true, profile: 'slow@1' }))
    expect(compare(simulated, { baseline: 'low' })).toMatchObject({ claims: [], families: [] })
  })
})

describe('the leading group', () => {
  it('is all that are not told apart from the best, with the ranks that the claims allow', () => {
    const all = compare([
      ...solves('a', 36, 40),
      ...trials('b', [...repeat('1', 34), ...repeat('0', 6)]),
      ...solves('c', 4, 40),
    ])
    const group = leadingGroup(all)
    expect(group).toMatchObject({ best: 'a', labels: ['a', 'b'] })
    expect(group?.ranks).toEqual({ a: [1, 2], b: [1, 2], c: [3, 3] })
  })

  it('needs the tests of all pairs', () => {
    const records = [...solves('a', 36, 40), ...solves('b', 20, 40), ...solves('c', 4, 40)]
    expect(leadingGroup(compare(records, { family: 'baseline', baseline: 'c' }))).toBeNull()
  })
})
