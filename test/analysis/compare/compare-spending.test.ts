import { describe, expect, it } from 'vitest'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

describe('spending', () => {
  const costly = { spent: { input: 900, output: 100, costUsd: 1 } }
  const noisy = (method: string, cost: number, n = 12, solved = 12) =>
    Array.from({ length: n }, (_, task) =>
      aRecord({
        method,
        task: `s/${task}`,
        passed: task < solved,
        spent: { input: cost + ((task * 37) % 11), output: 10, costUsd: (cost + ((task * 37) % 11)) / 1e4 },
      }),
    )

  it('is a ratio of means with its success difference, failures included', () => {
    const { spent } = onlyPair(compare([...noisy('a', 100, 12, 3), ...noisy('b', 200)]))
    expect(spent.tokens.ratio.ratio).toBeCloseTo((100 + 10 + 5.25) / (200 + 10 + 5.25), 1)
    expect(spent.tokens.saved.lower as number).toBeGreaterThan(0)
    expect(spent.tokens.success).toMatchObject({ estimate: -0.75, nTasks: 12 })
    expect(spent.tokens.claimP as number).toBeLessThan(0.05)
    expect(spent.tokens.atEqualSuccess).toBeNull()
  })

  it('is a saving at equal success, and dominates, only if it passed the margin’s test', () => {
    const records = [...noisy('a', 100, 40, 30), ...noisy('b', 200, 40, 29)]
    expect(onlyPair(compare(records)).spent.tokens.atEqualSuccess).toBeNull()
    const claimed = onlyPair(compare(records, { margin: 0.1 }))
    expect(claimed.spent.tokens.atEqualSuccess).toBe('a')
    expect(claimed.dominates).toEqual({ tokens: 'a', costUsd: 'a' })
    const better = onlyPair(compare([...noisy('a', 100, 40, 30), ...noisy('b', 200, 40, 10)]))
    expect(better.dominates.tokens).toBe('a')
  })

  it('names a task with a large share, and the ratio without it', () => {
    const one = aRecord({ method: 'b', task: 's/big', spent: { input: 50_000, output: 0, costUsd: 9 } })
    const other = aRecord({ method: 'a', task: 's/big', spent: { input: 100, output: 0, costUsd: 9 } })
    const comparison = compare([...noisy('a', 100), ...noisy('b', 100), one, other])
    expect(onlyPair(comparison).spent.tokens.largest).toMatchObject({ task: 's/big' })
    expect(onlyPair(comparison).spent.tokens.largest?.ratioWithout).toBeCloseTo(1, 12)
    expect(comparison.methods[1]?.spent.tokens.largest?.share as number).toBeGreaterThan(0.9)
  })

  it('has no ratio to a baseline that spent nothing, and no geometric mean with a zero', () => {
    const free = trials('b', repeat('1', 8), { spent: { costUsd: 0 } })
    const { spent } = onlyPair(compare([...trials('a', repeat('1', 8)), ...free]))
    expect(spent.costUsd.ratio).toMatchObject({
      ratio: null,
      kind: 'not-estimable',
      refusal: 'zero-baseline',
    })
    expect(spent.costUsd.typical).toMatchObject({ ratio: null, refusal: 'not-positive' })
  })

  it('without a success has a lower limit only', () => {
    const comparison = compare([
      ...trials('a', repeat('0', 8), costly),
      ...trials('b', repeat('1', 8), costly),
    ])
    expect(comparison.methods[0]?.costPerSuccess).toMatchObject({
      estimate: null,
      upper: null,
      kind: 'zero-successes',
      solvedTasks: 0,
      rough: true,
      nMissing: 0,
    })
    expect(comparison.methods[0]?.costPerSuccess.lower as number).toBeGreaterThan(1)
    expect(onlyPair(comparison).costPerSuccess).toMatchObject({ ratio: null, refusal: 'no-success' })
  })
})

describe('the frontier', () => {
  it('is over the tasks that all methods share, with the membership of each method', () => {
    const records = [
      ...solves('good', 28, 30, { spent: { costUsd: 2 } }),
      ...solves('cheap', 10, 30, { spent: { costUsd: 0.1 } }),
      ...solves('bad', 9, 30, { spent: { costUsd: 3 } }),
      ...solves('unknown', 20, 30, { spent: { costUsd: null } }),
    ]
    const { costUsd } = compare(records).frontiers
    const at = (label: string) => costUsd.points.find((point) => point.label === label)
    expect(costUsd.nTasks).toBe(30)
    expect(at('good')).toMatchObject({ onFrontier: true, membership: 1, word: 'on' })
    expect(at('cheap')).toMatchObject({ onFrontier: true, word: 'on' })
    expect(at('bad')).toMatchObject({ onFrontier: false, membership: 0, word: 'off' })
    expect(at('unknown')).toMatchObject({ success: null, onFrontier: null, membership: null })
  })
})
