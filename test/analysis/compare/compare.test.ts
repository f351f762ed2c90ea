import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

describe('the primary outcome', () => {
  it('with one trial per task has Newcombe’s interval, McNemar’s mid-p and the exact test', () => {
    const { outcome, verdict } = onlyPair(
      compare([
        ...solves('a', 24, 30),
        ...trials('b', [...repeat('0', 12), ...repeat('1', 14), ...repeat('0', 4)]),
      ]),
    )
    expect(outcome).toMatchObject({
      interval: 'newcombe',
      test: 'mcnemar-mid-p',
      nTasks: 30,
      nDropped: 0,
      separated: 14,
      rerunSe: null,
      missing: null,
      refusal: null,
    })
    expect(outcome.estimate).toBeCloseTo(10 / 30, 12)
    expect(outcome.p as number).toBeLessThan(outcome.exactP as number)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
  })

  it('with several epochs is a paired t test of task means, with separate noise of a rerun', () => {
    const { outcome } = onlyPair(
      compare([
        ...trials('a', ['111', '110', '011', '111', '100', '111', '110', '111']),
        ...trials('b', ['110', '100', '011', '110', '100', '010', '000', '111']),
      ]),
    )
    expect(outcome).toMatchObject({ interval: 'paired-t', test: 'paired-t', nTasks: 8, separated: 5 })
    // With eight tasks the claim uses the greater of both p-values.
    expect(outcome.claimP).toBe(Math.max(outcome.p as number, outcome.exactP as number))
    expect(outcome.rerunSe as number).toBeGreaterThan(0)
  })

  it('with many differing tasks uses the t test alone', () => {
    const random = seededRandom('claim')
    const rows = (rate: number) =>
      Array.from({ length: 30 }, () =>
        Array.from({ length: 4 }, () => (random() < rate ? '1' : '0')).join(''),
      )
    const { outcome } = onlyPair(compare([...trials('a', rows(0.6)), ...trials('b', rows(0.4))]))
    expect(outcome.separated).toBeGreaterThan(15)
    expect(outcome.claimP).toBe(outcome.p)
  })

  it('below six tasks has an interval and no test, for one task only an estimate', () => {
    const few = onlyPair(compare([...solves('a', 5, 5), ...solves('b', 0, 5)]))
    expect(few.outcome).toMatchObject({ p: null, exactP: null, claimP: null, refusal: 'too-few-tasks' })
    expect(few.outcome.lower).not.toBeNull()
    expect(few.verdict).toEqual({ word: 'too-few-tasks' })
    const one = onlyPair(compare([...trials('a', ['111']), ...trials('b', ['010'])]))
    expect(one.outcome).toMatchObject({ lower: null, upper: null, p: null, refusal: 'one-task' })
    expect(one.outcome.estimate).toBeCloseTo(2 / 3, 12)
    expect(one.outcome.rerunSe as number).toBeGreaterThan(0)
    expect(one.planning).toMatchObject({ parts: null, mde: null, refusal: 'one-task' })
  })

  it('reports that no task separated the methods, with p = 1 and an interval with a width', () => {
    for (const rows of [repeat('1', 20), repeat('110', 20)]) {
      const { outcome, verdict } = onlyPair(compare([...trials('a', rows), ...trials('b', rows)]))
      expect(outcome).toMatchObject({ estimate: 0, p: 1, exactP: 1, separated: 0, refusal: 'not-separated' })
      expect((outcome.upper as number) - (outcome.lower as number)).toBeGreaterThan(0.1)
      expect(verdict).toEqual({ word: 'not-separated' })
    }
  })

  it('has no t and never p = 0 if every task differs by the same', () => {
    const { outcome, verdict } = onlyPair(
      compare([...trials('a', repeat('11', 12)), ...trials('b', repeat('10', 12))]),
    )
    expect(outcome).toMatchObject({
      estimate: 0.5,
      se: 0,
      test: 'sign-flip',
      interval: 'newcombe-majorities',
    })
    expect(outcome.p).toBeCloseTo(2 ** -11, 12)
    expect(outcome.lower as number).toBeLessThanOrEqual(0.5)
    expect(outcome.upper as number).toBeGreaterThan(0.5)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
  })

  it('may be the score', () => {
    const scored = (method: string, shift: number) =>
      Array.from({ length: 12 }, (_, task) =>
        aRecord({ method, task: `s/${task}`, score: 0.3 + shift + 0.01 * ((task * 7) % 5), passed: false }),
      )
    const { outcome } = onlyPair(compare([...scored('a', 0.2), ...scored('b', 0)], { outcome: 'score' }))
    expect(outcome.estimate).toBeCloseTo(0.2, 12)
    expect(outcome.interval).toBe('newcombe-majorities')
  })
})

describe('missing trials', () => {
  const rows = repeat('1', 20)
  it('drop their task from the pair, are counted, and bound the result if they could reverse it', () => {
    const some = [...repeat('-', 5), ...repeat('1', 8), ...repeat('0', 7)]
    const { outcome, verdict } = onlyPair(compare([...trials('a', rows), ...trials('b', some)]))
    expect(outcome).toMatchObject({ nTasks: 15, nDropped: 5 })
    expect(outcome.missing?.decides).toBe(false)
    expect(outcome.missing?.low).toBeCloseTo(7 / 20, 12)
    expect(outcome.missing?.high).toBeCloseTo(12 / 20, 12)
    expect(verdict).toEqual({ word: 'better', method: 'a' })
    const most = [...repeat('-', 12), ...repeat('0', 8)]
    const half = [...repeat('0', 12), ...repeat('1', 8)]
    const turned = onlyPair(compare([...trials('a', half), ...trials('b', most)]))
    expect(turned.outcome.missing).toMatchObject({ decides: true })
    expect(turned.adjustedP as number).toBeLessThan(0.05)
    expect(turned.verdict).toEqual({ word: 'not-established' })
  })

  it('include planned trials without a record', () => {
    const comparison = compare([...trials('a', repeat('11', 8)), ...trials('b', repeat('1', 8))], {
      epochs: 2,
    })
    expect(comparison.methods.map(({ trials }) => trials.missing)).toEqual([0, 8])
    expect(onlyPair(comparison).outcome.missing).not.toBeNull()
  })

  it('in tokens do not affect success, and are never 0', () => {
    const known = trials('b', repeat('1', 8))
    const unknown = trials('a', repeat('1', 8), { spent: { unreportedTokens: 1, input: 0, output: 0 } })
    const comparison = compare([...known, ...unknown])
    expect(onlyPair(comparison).spent.tokens).toMatchObject({ nTasks: 0, nDropped: 8, refusal: 'no-task' })
    expect(comparison.methods[0]?.spent.tokens).toMatchObject({ mean: { estimate: null, nMissing: 8 } })
    expect(comparison.methods[0]?.success.estimate).toBe(1)
  })
})
