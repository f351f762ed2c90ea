import { describe, expect, it } from 'vitest'
import {
  conditionProblems,
  evaluateConditions,
  parseConditions,
} from '../../../src/commands/values/fail-if.ts'
import { defaultComparison } from '../../../src/schema/run/comparison-plan.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'
import { comparedReport } from '../../reports/comparison/compared-report.ts'

function conditions(text: string) {
  const problems: Problem[] = []
  const parsed = parseConditions(text, problems)
  expect(problems).toEqual([])
  return parsed
}
const records = [...solves('a', 18, 20), ...solves('b[x=1,y=2]', 6, 20), ...solves('c', 17, 20)]
const held = (text: string, options = {}) => {
  const { summary, comparison } = comparedReport(records, options)
  return evaluateConditions(conditions(text), summary, comparison?.comparison ?? null).map((one) => one.text)
}
const run = {
  labels: ['a', 'b[x=1,y=2]', 'c'],
  simulated: false,
  comparison: defaultComparison,
  baseline: 'a',
}
const wrong = (text: string, more: Partial<typeof run> = {}) =>
  conditionProblems(conditions(text), { ...run, ...more }).map(({ what }) => what)

describe('--fail-if', () => {
  it('reads both forms of a metric condition, and several conditions', () => {
    expect(held('success(b[x=1,y=2]) < 0.8, b[x=1,y=2].success<0.8, success(a) < 0.8')).toEqual([
      'success(b[x=1,y=2]) < 0.8',
      'b[x=1,y=2].success<0.8',
    ])
  })

  it('finds a method by its document', () => {
    const text = 'b:1[y=2].success<0.8, success(b:1[y=2])<0.8, b[x=1,y=2].success<0.8'
    expect(held(text)).toHaveLength(3)
    expect(held('better(a, b:1[y=2]), better(b:1[y=2], a)')).toEqual(['better(a, b:1[y=2])'])
    expect(wrong('b:1[y=2].success<0.8, better(a, b:1[y=2])')).toEqual([])
    expect(wrong('b:2[y=2].success<0.8')).toEqual(['there is no method of this run "b:2[y=2]"'])
  })

  it('holds according to the verdict of a pair, in either order of the methods', () => {
    expect(held('better(a, b[x=1,y=2])')).toHaveLength(1)
    expect(held('better(b[x=1,y=2], a)')).toEqual([])
    expect(held('!better(b[x=1,y=2],a), !better(a,b[x=1,y=2])')).toEqual(['!better(b[x=1,y=2],a)'])
    expect(held('better(a, c), better(c, a)')).toEqual([])
    expect(held('notWorse(a, c), notWorse(a, b[x=1,y=2]), notWorse(b[x=1,y=2], a)', { margin: 0.3 })).toEqual(
      ['notWorse(a, c)', 'notWorse(a, b[x=1,y=2])'],
    )
    expect(held('equivalent(c, a)', { margin: 0.3 })).toHaveLength(1)
  })

  it('reads outcomes and calls of trials, for gates that need no model', () => {
    const ended = [
      aRecord({ method: 'a', status: 'error' }),
      aRecord({ method: 'a', epoch: 2, status: 'failed', passed: false }),
      aRecord({ method: 'a', epoch: 3, status: 'limited', spent: { calls: 4 } }),
      aRecord({ method: 'a', epoch: 4 }),
    ]
    const { summary } = comparedReport(ended)
    const text =
      'a.errors>0, a.failed>0, a.limited>0, a.completed<2, a.calls>=2, a.checks>0, a.iterations<2, a.missing>1, a.costPerSuccess>0.1'
    expect(evaluateConditions(conditions(text), summary, null).map(({ text }) => text)).toEqual([
      ...['a.errors>0', 'a.failed>0', 'a.limited>0', 'a.completed<2', 'a.calls>=2', 'a.iterations<2'],
      'a.costPerSuccess>0.1',
    ])
  })

  it('holds for a lower bound unless the bound rules the condition out', () => {
    const spent = { costUsd: 2, unreportedCost: 1, calls: 2 }
    const { summary } = comparedReport([aRecord({ method: 'a', spent }), aRecord({ method: 'c' })])
    const held = evaluateConditions(
      conditions('a.costUsd>1, a.costUsd>5, a.totalCostUsd<1, a.totalCostUsd<=3, a.costPerSuccess<1'),
      summary,
      null,
    )
    expect(held).toMatchSnapshot()
  })

  it('holds if the value is unknown', () => {
    expect(held('better(a, c)', { voided: 'looked' })).toHaveLength(1)
  })

  it('reports before the run the conditions that the run cannot answer', () => {
    expect(wrong('better(a, nobody)')).toEqual(['there is no method of this run "nobody"'])
    expect(wrong('better(a, a)')).toEqual(['compares a method with itself'])
    expect(wrong('equivalent(a, c)')).toEqual(['needs a margin that is fixed before the run'])
    expect(
      wrong('better(c, b[x=1,y=2])', { comparison: { ...defaultComparison, family: 'baseline' } }),
    ).toEqual(['names a pair that --family baseline does not compare'])
    expect(wrong('better(a, c)')).toEqual([])
  })

  it('rejects a verdict on simulated numbers, except in a calibration', () => {
    expect(wrong('better(a, c)', { simulated: true })[0]).toContain(
      'a test would test the profile, not the methods',
    )
    const comparison = { ...defaultComparison, calibration: true as const }
    expect(wrong('better(a, c)', { simulated: true, comparison })).toEqual([])
    expect(wrong('success(a) < 1', { simulated: true })).toEqual([])
  })
})
