import { describe, expect, it } from 'vitest'
import {
  conditionProblems,
  evaluateConditions,
  parseConditions,
} from '../../../src/commands/values/fail-if.ts'
import { defaultComparison } from '../../../src/schema/run/comparison-plan.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../../reports/comparison/compared-report.ts'

const rows = ['a@x:1.5', 'a@y', 'b@x:1.5', 'b@y']
const records = rows.flatMap((row, place) => {
  const [method = '', agentSet = ''] = row.split('@')
  return solves(method, [18, 2, 4, 3][place] as number, 20, { agentSet, agents: agentSet })
})
const conditions = (text: string) => {
  const problems: Problem[] = []
  const parsed = parseConditions(text, problems)
  expect(problems).toEqual([])
  return parsed
}
const held = (text: string) => {
  const options = { methods: ['a', 'b'], agentSets: ['x:1.5', 'y'], baseline: 'b' }
  const { summary, comparison } = comparedReport(records, options)
  return evaluateConditions(conditions(text), summary, comparison?.comparison ?? null).map(
    ({ value }) => value,
  )
}
const wrong = (text: string, family: 'all-pairs' | 'baseline' = 'all-pairs') =>
  conditionProblems(conditions(text), {
    labels: rows,
    simulated: false,
    comparison: { ...defaultComparison, family },
    baseline: 'b',
  }).map(({ what }) => what)

describe('--fail-if in a run of several sets of agents', () => {
  it('can name a method with one set, with all sets, or all methods with one set', () => {
    expect(held('a@x:1.5.success<0.95')).toEqual(['0.9 for a@x:1.5'])
    expect(held('success(a@y) < 0.5')).toEqual(['0.1 for a@y'])
    expect(held('a.success<0.95')).toEqual(['0.9 for a@x:1.5', '0.1 for a@y'])
    expect(held('*@y.success<1')).toEqual(['0.1 for a@y', '0.15 for b@y'])
    expect(held('*.success<1')).toHaveLength(4)
  })

  it('compares methods with the same agents, and agents with the same method', () => {
    expect(held('better(a@x:1.5, b@x:1.5)')).toEqual(['better'])
    expect(held('better(a@x:1.5, a@y)')).toEqual(['better'])
    expect(held('better(a@y, b@y)')).toEqual([])
  })

  it('rejects rows that the run does not have, and pairs that no report compares', () => {
    expect(wrong('better(a@x:1.5, b@x:1.5), a.success<1, *@y.success<1')).toEqual([])
    expect(wrong('c.success<1')).toEqual([expect.stringContaining('c')])
    expect(wrong('*@z.success<1')).toHaveLength(1)
    expect(wrong('better(a, b)')).toHaveLength(2)
    expect(wrong('better(a@x:1.5, b@y)')).toEqual([expect.stringContaining('two sets of agents')])
    expect(wrong('better(a@x:1.5, a@y)', 'baseline')).toEqual([expect.stringContaining('--family baseline')])
  })
})
