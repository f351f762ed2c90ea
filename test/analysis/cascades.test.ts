import { expect, it } from 'vitest'
import { createCascades } from '../../src/analysis/cascades.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import type { CascadeState } from '../../src/schema/method/cascade.ts'
import { record } from '../helpers/runs/run-files.ts'

const roles = ['step-1', 'step-2', 'step-3']
interface Made {
  /** What each step gave: right, wrong, nothing, or an answer without a grade. */
  gave: ('right' | 'wrong' | 'nothing' | 'ungraded')[]
  /** After which steps it decided, and whether it ended there. */
  decided: [after: string, accepted: boolean][]
  passed: boolean | null
}

function trial({ gave, decided, passed }: Made, change: Partial<TrialRecord> = {}): TrialRecord {
  const state: CascadeState = {
    until: 'agreement',
    planned: roles,
    steps: gave.map((one, at) => ({
      ...{ role: roles[at] as string, costUsd: (at + 1) / 100 },
      ...(one === 'nothing' && { failed: 'refusal' }),
    })),
    decisions: decided.map(([after, accepted]) => ({ after, accepted, why: '' })),
    delivered: roles[gave.length - 1] as string,
  }
  const graded = gave.flatMap((one, at) =>
    one === 'right' || one === 'wrong' ? [[at, one === 'right'] as const] : [],
  )
  return {
    ...record('a'),
    method: 'cascade',
    agents: { 'step-1': 'small', 'step-2': 'middle', 'step-3': 'large' },
    passed,
    candidates: graded.map(([at, right]) => ({
      ...{
        key: `${roles[at]}#0`,
        role: roles[at] as string,
        at,
        delivered: 'x',
        passed: right,
        score: Number(right),
      },
    })),
    state: { cascade: state },
    ...change,
  } as TrialRecord
}

function sumsOf(...records: TrialRecord[]) {
  const cascades = createCascades(['cascade'])
  for (const one of records) cascades.add(one)
  return cascades.result()
}

const kept = (passed: boolean): Made => ({
  gave: passed ? ['right', 'right'] : ['wrong', 'wrong'],
  decided: [['step-2', true]],
  passed,
})
const wentOn = (one: 'right' | 'wrong', two: 'right' | 'wrong', last: 'right' | 'wrong'): Made => ({
  gave: [one, two, last],
  decided: [['step-2', false]],
  passed: last === 'right',
})

it('counts what went on, what it went on for, and what it kept although it was wrong', () => {
  const [row] = sumsOf(
    trial(kept(true)),
    trial(kept(false)),
    trial(wentOn('right', 'wrong', 'right')),
    trial(wentOn('wrong', 'right', 'wrong')),
    trial(wentOn('wrong', 'wrong', 'right')),
  )
  expect(row).toMatchObject({
    trials: 5,
    escalated: { count: 3, of: 5 },
    forNothing: { count: 2, of: 3 },
    keptWrong: { count: 1, of: 2 },
    rescued: { count: 1, of: 1 },
    lost: { count: 1, of: 2 },
  })
})

it('gives each step its agent, its end, its grades and its dollars', () => {
  const [row] = sumsOf(trial(kept(true)), trial(wentOn('wrong', 'right', 'right')))
  expect(
    row?.steps.map(({ agent, asked, ended, right, costUsd }) => [agent, asked, ended, right, costUsd]),
  ).toEqual([
    ['small', 2, 0, { count: 1, of: 2 }, 0.02],
    ['middle', 2, 1, { count: 2, of: 2 }, 0.04],
    ['large', 1, 1, { count: 1, of: 1 }, 0.03],
  ])
})

it('a step that gave nothing was not right, and counts as failed', () => {
  const [row] = sumsOf(
    trial({ gave: ['nothing', 'wrong', 'right'], decided: [['step-2', false]], passed: true }),
  )
  expect(row).toMatchObject({ forNothing: { count: 0, of: 1 }, rescued: { count: 1, of: 1 } })
  expect(row?.steps[0]).toMatchObject({ asked: 1, failed: 1, right: { count: 0, of: 0 } })
})

it('leaves out of the shares what was not graded, and of the dollars nothing is known if a part is not', () => {
  const unknown = trial({
    gave: ['ungraded', 'ungraded', 'right'],
    decided: [['step-2', false]],
    passed: true,
  })
  const [row] = sumsOf(unknown, trial(kept(true)))
  expect(row).toMatchObject({
    escalated: { count: 1, of: 2 },
    forNothing: { count: 0, of: 0 },
    rescued: { of: 0 },
  })
  const state = unknown.state?.cascade as CascadeState
  const unpriced = { ...state, steps: state.steps.map((step) => ({ ...step, costUsd: null })) }
  const [priceless] = sumsOf(trial(kept(true)), trial(kept(true), { state: { cascade: unpriced } }))
  expect(priceless?.steps.map(({ costUsd }) => costUsd)).toEqual([null, null, null])
})

it('has no row for other methods, for trials in error, and for a state of another form', () => {
  const error = trial(kept(true), { outcome: { status: 'error', reason: '' } })
  expect(
    sumsOf(error, trial(kept(true), { state: {} }), trial(kept(true), { state: { cascade: 'mine' } })),
  ).toEqual([])
})
