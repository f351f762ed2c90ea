import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PairComparison } from '../../../src/analysis/compare/comparison.ts'
import { seededRandom, shuffled } from '../../../src/base/random.ts'
import { compare, onlyPair } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'

describe('the numbers of a comparison do not depend on', () => {
  const cell = fc.record({
    passed: fc.option(fc.boolean(), { freq: 12 }),
    tokens: fc.integer({ min: 1, max: 5000 }),
    known: fc.integer({ min: 0, max: 9 }),
  })
  const table = fc.array(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  type Table = { passed: boolean | null; tokens: number; known: number }[][][]
  const recordsOf = (tasks: Table, names = ['a', 'b', 'c']) =>
    tasks.flatMap((row, task) =>
      names.flatMap((method, column) =>
        (row[column] ?? []).map(({ passed, tokens, known }, epoch) =>
          aRecord({
            method,
            task: `s/${String(task).padStart(2, '0')}`,
            epoch: epoch + 1,
            ...(passed === null ? { status: 'error' as const } : { passed }),
            spent: {
              input: tokens,
              output: 0,
              costUsd: known ? tokens / 1000 : null,
              unreportedTokens: known ? 0 : 1,
            },
          }),
        ),
      ),
    )
  const options = { margin: 0.1, resamples: 50 }
  const rounded = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (_, one) => (typeof one === 'number' ? roundedNumber(one) : one)),
    ) as unknown
  // Amounts in thousandths often end in a 5 as their ninth digit: a little more keeps them from being rounded both ways.
  const roundedNumber = (one: number) => Number((one * (1 + 1.7e-11)).toPrecision(8)) + 0

  it('the order of records', () => {
    fc.assert(
      fc.property(table, fc.string(), (tasks, seed) => {
        const records = recordsOf(tasks)
        expect(rounded(compare(shuffled(records, seededRandom(seed)), options))).toEqual(
          rounded(compare(records, options)),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('the names of tasks and their order by name', () => {
    fc.assert(
      fc.property(table, (tasks) => {
        const records = recordsOf(tasks)
        const renamed = records.map((record) => ({
          ...record,
          trial: `${record.trial}'`,
          task: `s/${99 - Number(record.task.slice(2))}`,
        }))
        const unnamed = (one: ReturnType<typeof compare>) => {
          const { tasks: _, frontiers, ...rest } = one
          const points = frontiers.tokens.points.map(({ onFrontier, success, spent }) => ({
            onFrontier,
            success,
            spent,
          }))
          // Among equally large tasks the first one is named.
          const text = JSON.stringify({ ...rest, points }, (key, value) => (key === 'largest' ? null : value))
          return rounded(JSON.parse(text))
        }
        expect(unnamed(compare(renamed, options))).toEqual(unnamed(compare(records, options)))
      }),
      { numRuns: 25 },
    )
  })

  it('labels and the order of methods, except for the direction of differences', () => {
    fc.assert(
      fc.property(table, (tasks) => {
        const one = compare(recordsOf(tasks), options)
        const renamed = compare(recordsOf(tasks, ['x', 'y', 'z']), options)
        const text = JSON.stringify(rounded(one)).replace(
          /"(label|method|a|b|of|than|costUsd|tokens|atEqualSuccess)":"([abc])"/g,
          (_, key, name) => `"${key}":"${'xyz'['abc'.indexOf(name)]}"`,
        )
        expect(JSON.parse(text)).toEqual(rounded(renamed))
        const turned = compare(recordsOf(tasks), { ...options, methods: ['c', 'b', 'a'] })
        for (const pair of one.pairs) {
          const same = turned.pairs.find(({ a, b }) => a === pair.b && b === pair.a) as PairComparison
          expect(
            rounded([same.outcome.p, same.adjustedP, same.spent.tokens.p, same.verdict, same.dominates]),
          ).toEqual(
            rounded([pair.outcome.p, pair.adjustedP, pair.spent.tokens.p, pair.verdict, pair.dominates]),
          )
          expect(rounded(same.outcome.lower)).toEqual(
            rounded(pair.outcome.upper === null ? null : -pair.outcome.upper),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  it('an unrelated method, except for adjusted p-values', () => {
    fc.assert(
      fc.property(table, (tasks) => {
        const records = recordsOf(tasks)
        const whole = compare(records, options)
        const without = compare(
          records.filter(({ method }) => method !== 'c'),
          options,
        )
        const unadjusted = ({ outcome, spent, costPerSuccess, planning }: PairComparison) => {
          const plain = Object.values(spent).map(
            ({ familyP, exploratoryP, atEqualSuccess, nDropped, ...rest }) => rest,
          )
          const { nDropped, missing, ...rest } = outcome
          const { mdeInFamily, mdeRefusal, separatedNeeded, ...plan } = planning
          return rounded({ rest, plain, costPerSuccess, plan })
        }
        const tasksOfC = whole.tasks.length - without.tasks.length
        if (tasksOfC === 0) expect(rounded(without.methods)).toEqual(rounded(whole.methods.slice(0, 2)))
        expect(unadjusted(onlyPair(without))).toEqual(unadjusted(whole.pairs[0] as PairComparison))
      }),
      { numRuns: 25 },
    )
  })

  it('the unit of cost, except for costs', () => {
    fc.assert(
      fc.property(table, (tasks) => {
        const records = recordsOf(tasks)
        const cents = records.map((record) => ({
          ...record,
          spent: {
            ...record.spent,
            costUsd: record.spent.costUsd === null ? null : record.spent.costUsd * 128,
          },
        }))
        const [one, other] = [compare(records, options), compare(cents, options)]
        expect(rounded(other.pairs)).toEqual(rounded(one.pairs))
        expect(rounded(other.frontiers.costUsd.points.map(({ membership }) => membership))).toEqual(
          rounded(one.frontiers.costUsd.points.map(({ membership }) => membership)),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('and every number is one, or null, and a difference’s limits are about it and within -1 and 1', () => {
    fc.assert(
      fc.property(table, (tasks) => {
        const comparison = compare(recordsOf(tasks), options)
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison)
        for (const { outcome } of comparison.pairs) {
          if (outcome.lower === null || outcome.upper === null || outcome.estimate === null) continue
          expect(outcome.lower).toBeGreaterThanOrEqual(-1)
          expect(outcome.upper).toBeLessThanOrEqual(1)
          expect(outcome.lower).toBeLessThanOrEqual(outcome.estimate)
          expect(outcome.upper).toBeGreaterThanOrEqual(outcome.estimate)
        }
      }),
      { numRuns: 25 },
    )
  })
})
