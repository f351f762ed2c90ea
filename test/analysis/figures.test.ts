import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCompliance } from '../../src/analysis/figures/figure-trials.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { anAsk, figuresOf } from '../reports/figures/figure-samples.ts'
import { repeat, solves, trials } from './compare/compared.ts'
import { aRecord } from './records.ts'

const spending = (method: string, task: string, epoch: number, tokens: number | null, passed: boolean) =>
  aRecord({
    method,
    task,
    epoch,
    passed,
    spent: { input: tokens ?? 0, output: 0, unreportedTokens: tokens === null ? 1 : 0 },
  })

it('figures show the same whatever the order in which branches wrote their steps', () => {
  const records = [...solves('a', 3, 6), ...solves('b', 1, 6)]
  const steps = records.flatMap(({ trial }) =>
    [0, 1, 2].map((n) =>
      anAsk({
        trial,
        key: `b${n}#0`,
        at: 10 * (n % 2),
        role: `role ${n}`,
        reply: `{"compliance": ${n / 3}}`,
        tokens: { input: 100 * n },
      }),
    ),
  )
  fc.assert(
    fc.property(fc.shuffledSubarray(steps, { minLength: steps.length }), (shuffled) => {
      expect(figuresOf(records, shuffled)).toEqual(figuresOf(records, steps))
    }),
    { numRuns: 20 },
  )
})

describe('success at a budget', () => {
  it('is the mean over tasks of the share that passed within the budget; trials with unknown tokens are left out and counted', () => {
    const [curve] = figuresOf([
      spending('a', 's/1', 1, 100, true),
      spending('a', 's/1', 2, 300, true),
      spending('a', 's/2', 1, 200, true),
      spending('a', 's/2', 2, 900, false),
      spending('a', 's/2', 3, null, true),
    ]).budget
    expect(curve?.points.map(({ budget, share }) => [budget, share])).toEqual([
      [100, 0.25],
      [200, 0.5],
      [300, 0.75],
    ])
    expect(curve).toMatchObject({ most: 900, tasks: 2, unknown: 1 })
  })

  it('never falls, stays inside its limits, and ends at the success rate', () => {
    const run = fc.array(
      fc.record({
        task: fc.integer({ min: 1, max: 6 }),
        tokens: fc.integer({ min: 1, max: 5000 }),
        passed: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(run, (drawn) => {
        const data = figuresOf(
          drawn.map(({ task, tokens, passed }, epoch) =>
            spending('a', `s/${task}`, epoch + 1, tokens, passed),
          ),
        )
        const points = data.budget[0]?.points ?? []
        const shares = points.map(({ share }) => share)
        expect(shares).toEqual([...shares].sort((a, b) => a - b))
        for (const { share, lower, upper } of points) {
          expect(lower ?? 0).toBeLessThanOrEqual(share + 1e-12)
          expect(upper ?? 1).toBeGreaterThanOrEqual(share - 1e-12)
        }
        expect(shares.at(-1) ?? 0).toBeCloseTo(data.summary.methods[0]?.success.estimate ?? 0, 12)
      }),
    )
  })

  it('of thousands of trials has points at both ends and a bounded number between', () => {
    const many = Array.from({ length: 3000 }, (_, i) =>
      spending('a', `s/${i % 50}`, 1 + Math.floor(i / 50), 1 + i, true),
    )
    const points = figuresOf(many).budget[0]?.points ?? []
    expect(points.length).toBeLessThanOrEqual(150)
    expect([points[0]?.budget, points.at(-1)?.budget, points.at(-1)?.share]).toEqual([1, 3000, 1])
  })
})

describe('tokens by role', () => {
  const record = aRecord({ trial: 't' })

  it('counts every attempt of the method, but not grading, calls that no method pays, or voided calls', () => {
    const [row] = figuresOf(
      [record],
      [
        anAsk({ trial: 't', key: '#0', role: 'writer' }),
        anAsk({ trial: 't', key: '#0', attempt: 2, role: 'writer' }),
        anAsk({ trial: 't', key: '#1', role: 'auditor', tokens: { input: 10, output: null } }),
        anAsk({ trial: 't', key: '#2', role: 'lost', payer: 'void' }),
        anAsk({ trial: 't', key: 'grade#0', role: 'grader', payer: 'grading' }),
        anAsk({ trial: 't', key: '#3', role: 'taken back' }),
        { ...anAsk({ trial: 't', key: '#4' }), kind: 'void', keys: ['#3/1'], reason: 'r' },
      ],
    ).roles
    expect(row?.roles).toEqual([
      { role: 'writer', tokens: 200 },
      { role: 'auditor', tokens: 10 },
    ])
    expect(row).toMatchObject({ total: 210, unreported: 1 })
  })

  it('weighs tasks the same, and leaves out missing trials', () => {
    const records = [
      aRecord({ trial: '1', task: 's/1' }),
      aRecord({ trial: '2', task: 's/2' }),
      aRecord({ trial: '3', task: 's/2', epoch: 2 }),
      aRecord({ trial: '4', task: 's/2', epoch: 3, status: 'error' }),
    ]
    const steps = ['1', '1', '2', '4'].map((trial, index) => anAsk({ trial, key: `#${index}` }))
    expect(figuresOf(records, steps).roles[0]?.total).toBe((200 + (100 + 0) / 2) / 2)
  })
})

describe('growth of the context', () => {
  it('numbers calls by the clock, whatever the order of the file', () => {
    const steps = [30, 10, 20].map((at, index) =>
      anAsk({ trial: 't', key: `b${index}#0`, at, tokens: { input: at } }),
    )
    const [line] = figuresOf([aRecord({ trial: 't' })], steps).context
    expect(line?.points.map(({ ask, tokens }) => [ask, tokens])).toEqual([
      [1, 10],
      [2, 20],
      [3, 30],
    ])
  })

  it('ends where fewer than half of the tasks made that many calls', () => {
    const records = ['1', '2', '3'].map((trial) => aRecord({ trial, task: `s/${trial}` }))
    const calls = { 1: 4, 2: 2, 3: 1 }
    const steps = Object.entries(calls).flatMap(([trial, count]) =>
      Array.from({ length: count }, (_, at) => anAsk({ trial, key: `#${at}`, at })),
    )
    expect(figuresOf(records, steps).context[0]?.points.map(({ ask, tasks }) => [ask, tasks])).toEqual([
      [1, 3],
      [2, 2],
    ])
  })
})

describe('convergence of compliance', () => {
  const verdict = (trial: string, at: number, compliance: number) =>
    anAsk({ trial, key: `#${at}`, at, reply: JSON.stringify({ compliance, violations: [] }) })

  it('keeps the last verdict of a trial that had fewer verdicts', () => {
    const records = [
      aRecord({ trial: '1', task: 's/1' }),
      aRecord({ trial: '2', task: 's/2' }),
      aRecord({ trial: '3', task: 's/3' }),
    ]
    const steps = [verdict('1', 0, 0.2), verdict('1', 1, 0.4), verdict('1', 2, 1), verdict('2', 0, 0.8)]
    const [curve] = figuresOf(records, steps).compliance
    expect(curve?.points.map(({ compliance }) => compliance)).toEqual([0.5, expect.closeTo(0.6), 0.9])
    expect(curve?.points.map(({ share }) => share)).toEqual([1, 0.5, 0.5])
    expect(curve).toMatchObject({ judged: 2, unjudged: 1 })
  })

  it('reads the verdict that the loop read', () => {
    expect(readCompliance('```json\n{"mark": "bcdfghjkmn", "compliance": 0.5,}\n```')).toBe(0.5)
    expect(readCompliance('<think>{"compliance": 0}</think>For {x}: {"compliance": 1}')).toBe(1)
    expect(readCompliance('{"mark": "bcdfghjkmn", "compliance": 0.5}\nIt had {"compliance": 1}.')).toBe(0.5)
    expect(readCompliance('{"compliance": 0.2}\nNo:\n{"compliance": 0.4}')).toBe(0.4)
  })

  it('reads the number from a JSON object only', () => {
    expect(readCompliance('Here it is: {"compliance": 0.25, "violations": [{"id": "V1"}]}')).toBe(0.25)
    expect(readCompliance('```json\n{"compliance": 1}\n```')).toBe(1)
    for (const reply of [
      '"compliance" is high',
      '{"compliance": "0.5"}',
      '{"compliance": 80}',
      '{"compliance": 0.5',
      '{"x": "\\"compliance\\""}',
    ])
      expect(readCompliance(reply), reply).toBeNull()
  })
})

describe('differences by task', () => {
  it('include the tasks that both methods have, largest first, and are exactly 0 for equal values', () => {
    const [pair] = figuresOf([
      ...trials('a', ['110', '011', '11-', '---']),
      ...trials('b', ['011', '110', '000', '111']),
    ]).differences
    expect(pair?.tasks).toEqual([
      { task: 's/002', difference: 1 },
      { task: 's/000', difference: 0 },
      { task: 's/001', difference: 0 },
    ])
  })
})

describe('the diagram of ranks', () => {
  const ranked = (rows: Record<string, string[]>, more: Partial<TrialRecord> = {}) =>
    figuresOf(
      Object.entries(rows).flatMap(([method, cells]) =>
        trials(method, cells).map((record) => ({ ...record, ...more })),
      ),
    ).ranks

  const three = { a: repeat('1', 12), b: [...repeat('1', 6), ...repeat('0', 6)], c: repeat('0', 12) }

  it('lists the best method first, and joins methods whose ranks are closer than the critical difference', () => {
    const diagram = ranked(three)
    expect(diagram?.ranks).toEqual([
      { label: 'a', rank: (6 * 1.5 + 6 * 1) / 12 },
      { label: 'b', rank: (6 * 1.5 + 6 * 2.5) / 12 },
      { label: 'c', rank: (6 * 3 + 6 * 2.5) / 12 },
    ])
    // Demsar 2006: q at 5% of three is 2.343.
    expect(diagram?.critical?.difference).toBeCloseTo(2.343 * Math.sqrt(12 / (6 * 12)), 3)
    expect(diagram?.critical?.groups).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ])
  })

  it('has ranks, but no critical difference, for simulated numbers', () => {
    const diagram = ranked(three, { simulated: true, mode: 'dev' })
    expect(diagram).toMatchObject({ critical: null, silence: 'simulated', refusal: null })
    expect(diagram?.ranks).toHaveLength(3)
  })

  it('gives the reason if there are too few methods or tasks', () => {
    const { c: _, ...two } = three
    expect(ranked(two)?.refusal).toBe('ranks need at least 3 methods, and there are 2')
    const few = Object.fromEntries(
      Object.entries(three).map(([method, cells]) => [method, cells.slice(0, 9)]),
    )
    expect(ranked(few)?.refusal).toBe('ranks need at least 10 tasks that all methods have, and there are 9')
    expect(ranked({ a: repeat('1', 10), b: repeat('1', 10), c: repeat('1', 10) })?.refusal).toBe(
      'no task separated them',
    )
  })
})
