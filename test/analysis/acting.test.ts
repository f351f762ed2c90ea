import { describe, expect, it } from 'vitest'
import { createActing } from '../../src/analysis/acting.ts'
import { outcomeInterval } from '../../src/analysis/compare/outcome-difference.ts'
import { successRate } from '../../src/analysis/tasks/success-rate.ts'
import { successValue } from '../../src/analysis/tasks/task-value.ts'
import type { Candidate, TrialRecord } from '../../src/schema/ledger/record.ts'
import type { Mechanism } from '../../src/schema/method/mechanism.ts'
import { aRecord } from './records.ts'

const retries: Mechanism = { name: 'retries', before: ['attempt-1'], acts: 'asked-again' }
const choices: Mechanism = { name: 'choices', before: ['solver'], acts: 'other-work' }

const candidate = (key: string, passed: boolean | null, delivered = 'the first'): Candidate => ({
  ...{ key, role: 'solver', at: 0, delivered, passed, score: null },
})

/** A trial that was asked twice: the first attempt, and what was handed in. */
const asked = (task: string, before: boolean | null, passed: boolean, change: Partial<TrialRecord> = {}) =>
  aRecord({
    ...{ task: `s/${task}`, passed, iterations: 2 },
    ...{ candidates: [candidate('attempt-2#0', passed, 'a hash'), candidate('attempt-1#0', before)] },
    ...change,
  } as Parameters<typeof aRecord>[0])

function actingOf(
  records: readonly TrialRecord[],
  mechanisms: readonly Mechanism[] | undefined,
  clusters = {},
) {
  const sums = createActing(mechanisms ? { a: mechanisms } : {}, clusters)
  for (const record of records) sums.add(record)
  return sums.result()[0]?.acting
}

describe('the trials in which a mechanism acted', () => {
  it('have their own success, and what the mechanism mended, broke and left as it was', () => {
    const [found] =
      actingOf(
        [
          asked('1', false, true),
          asked('2', true, false),
          asked('3', true, true),
          asked('4', false, false),
          asked('5', false, true),
          aRecord({ task: 's/6', iterations: 1 }),
          asked('7', false, true, { passed: null }),
          asked('8', false, true, { outcome: { status: 'error', reason: '' } }),
        ],
        [retries],
      ) ?? []
    expect(found).toMatchObject({ mechanism: 'retries', trials: 6, known: 7, graded: 5, passed: 3 })
    expect(found?.change).toMatchObject({ trials: 5, tasks: 5, mended: 2, broken: 1, same: 2 })
    expect(found?.change?.estimate).toBeCloseTo(0.2, 12)
  })

  it('count once a task, and have the limits of the project’s own procedures, by task and by cluster', () => {
    const records = [
      ...[1, 2, 3].map((epoch) => asked('1', false, epoch > 1, { epoch })),
      ...['2', '3', '4', '5'].map((task) => asked(task, task === '2', task !== '5')),
    ]
    const after = [successValue(2, 3, 0), ...[1, 1, 1, 0].map((passed) => successValue(passed, 1, 0))]
    const before = [successValue(0, 3, 0), ...[1, 0, 0, 0].map((passed) => successValue(passed, 1, 0))]
    const limits = ({ estimate, lower, upper }: ReturnType<typeof outcomeInterval>) => ({
      estimate,
      lower,
      upper,
    })
    const byTask = actingOf(records, [retries])?.[0]
    expect(byTask?.change).toMatchObject(limits(outcomeInterval(after, before, 0.95)))
    expect(byTask?.success.upper).toBe(successRate(after, 0.95).upper)
    const clusters = { 's/2': 'x', 's/3': 'x', 's/4': 'y', 's/5': 'y' }
    const byCluster = actingOf(records, [retries], clusters)?.[0]
    const units = [0, 1, 1, 2, 2]
    expect(byCluster?.change).toMatchObject(limits(outcomeInterval(after, before, 0.95, units)))
    expect(byCluster?.change?.upper).not.toBe(byTask?.change?.upper)
    expect(byCluster?.success.lower).toBe(successRate(after, 0.95, units).lower)
  })

  it('are not compared where the candidate before is missing or has no grade', () => {
    const records = [
      asked('1', null, true),
      asked('2', false, true, { candidates: [candidate('attempt-2#0', true)] }),
      asked('3', false, true, { candidates: undefined } as never),
    ]
    expect(actingOf(records, [retries])).toMatchObject([
      { trials: 3, graded: 3, ungraded: 1, change: { trials: 0, estimate: null } },
    ])
  })
})

describe('the candidate before', () => {
  const first = (before: string[], keys: readonly [string, boolean][]) =>
    actingOf(
      [asked('1', false, true, { candidates: keys.map(([key, passed]) => candidate(key, passed)) })],
      [{ ...retries, before }],
    )?.[0]?.change

  it('is the first of a role by the number of its branch, and of the first name that has one', () => {
    const keys = [
      ['attempt-10#0', true],
      ['attempt-2#0', false],
      ['x/fix~2#0', true],
      ['x/fix#3', false],
    ] as const
    const of = (...before: string[]) => first(before, keys as never)
    expect(of('solver')).toMatchObject({ mended: 1 })
    expect(of('attempt-10')).toMatchObject({ same: 1 })
    expect(of('attempt-1', 'fix')).toMatchObject({ mended: 1 })
    expect(of('attempt-1')).toMatchObject({ trials: 0 })
  })
})

describe('whether a mechanism acted', () => {
  const trials = (mechanism: Mechanism, ...records: TrialRecord[]) => {
    const [found] = actingOf(records, [mechanism]) ?? []
    return [found?.trials, found?.known]
  }

  it('is what bench counts, for the names that it counts', () => {
    const revised = aRecord({ revisions: { asks: 2, changed: 1 } })
    const kept = aRecord({ epoch: 2, revisions: { asks: 2, changed: 0 } })
    expect(trials({ name: 'revisions', before: [] }, revised, kept)).toEqual([1, 2])
    expect(trials({ name: 'tools', before: [] }, aRecord({ tools: {} as never }), aRecord())).toEqual([1, 2])
  })

  it('is other work than the candidate before, and unknown where candidates were not graded', () => {
    const candidates = [candidate('attempt-1#0', true, 'a hash')]
    const [same, other] = [aRecord({ candidates }), aRecord({ candidates, delivered: 'another' })]
    expect(trials(choices, same, other, aRecord())).toEqual([1, 2])
    expect(trials(choices, aRecord({ candidates: [] }))).toEqual([1, 1])
    expect(trials(choices, aRecord({ candidates: [], delivered: null }))).toEqual([0, 1])
  })

  it('is a field of the final state, as it is or above a number', () => {
    const [low, high] = [1, 2].map((round) => aRecord({ state: { chain: { round, split: round > 1 } } }))
    const of = (acts: Mechanism['acts']) =>
      trials({ name: 'own', before: [], acts }, low as never, high as never, aRecord())
    expect(of({ state: 'chain.round', above: 1 })).toEqual([1, 3])
    expect(of({ state: 'chain.split', is: false })).toEqual([1, 3])
    expect(of({ state: 'chain.none.deep', is: true })).toEqual([0, 3])
  })
})

describe('a method', () => {
  it('that declares no mechanism has those that bench saw acting, without a change; and none without these', () => {
    const voted = aRecord({ state: { agreement: { voted: 3, classes: [2, 1] } } })
    expect(actingOf([voted, aRecord({ epoch: 2 })], undefined)).toMatchObject([
      { mechanism: 'votes', trials: 1, known: 2, change: null },
    ])
    expect(actingOf([aRecord()], undefined)).toBeUndefined()
  })

  it('that says it has none has an empty list, and one that never acted is named', () => {
    expect(actingOf([aRecord()], [])).toEqual([])
    const [never] = actingOf([aRecord()], [retries]) ?? []
    expect(never).toMatchObject({ trials: 0, known: 1, success: { estimate: null }, change: { trials: 0 } })
  })

  it('has a row for each set of agents', () => {
    const sums = createActing({ a: [retries] })
    sums.add(asked('1', false, true, { agentSet: 'small' }))
    sums.add(asked('1', true, true, { agentSet: 'large' }))
    expect(sums.result().map(({ set, acting }) => [set, acting?.[0]?.change?.mended])).toEqual([
      ['small', 1],
      ['large', 0],
    ])
  })
})
