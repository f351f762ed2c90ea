import { expect, it } from 'vitest'
import { createBracket } from '../../src/analysis/bracket.ts'
import { outcomeInterval } from '../../src/analysis/compare/outcome-difference.ts'
import { successValue } from '../../src/analysis/tasks/task-value.ts'
import { aRecord } from './records.ts'

const agents = [
  { agent: 'small', row: 'alone-small' },
  { agent: 'large', row: 'alone-large' },
]

/** Places a method by rows of passes, one for each task; small costs 1 cent a trial, large 10, the method 4. */
function placed(
  rows: Readonly<Record<string, readonly (boolean | null)[]>>,
  costs: Readonly<Record<string, number | null>> = {},
) {
  const builder = createBracket([{ method: 'cascade', by: 'prices', agents }])
  const usual: Record<string, number> = { 'alone-small': 0.01, 'alone-large': 0.1, cascade: 0.04 }
  for (const [method, passes] of Object.entries(rows))
    for (const [at, passed] of passes.entries()) {
      const cost = method in costs ? costs[method] : usual[method]
      const made = aRecord({ method, task: `t/${at}`, passed: passed === true })
      const spent = {
        ...made.spent,
        costUsd: cost ?? null,
        listCostUsd: cost ?? null,
        unknownListCost: cost == null ? 1 : 0,
      }
      builder.add({
        ...made,
        passed,
        spent,
        ...(passed === null && { outcome: { status: 'error', reason: '' } }),
      } as typeof made)
    }
  return builder.result()[0]
}

it('places a method between its cheapest and its dearest agent, and beside the agent of each task', () => {
  const place = placed({
    'alone-small': [true, false, false, false],
    'alone-large': [true, true, true, false],
    cascade: [true, true, false, false],
  })
  expect(place?.tasks).toBe(4)
  expect(place?.values?.method.success).toBe(0.5)
  expect(place?.between.success).toBeCloseTo(0.5)
  expect(place?.between.costUsd).toBeCloseTo(1 / 3)
  // Small on the first and, since none passes it, on the last task; large on the others.
  expect(place?.values?.hindsight).toEqual({ success: 0.75, costUsd: expect.closeTo(0.055) })
})

it('counts the tasks alone that were graded for all rows', () => {
  const place = placed({ 'alone-small': [true, true], 'alone-large': [true, null], cascade: [true, false] })
  expect(place).toMatchObject({ tasks: 1, values: { method: { success: 1 } } })
  expect(placed({ cascade: [true] })).toMatchObject({ tasks: 0, values: null, between: { success: null } })
})

it('has no place between equal ends, nor where a cost is unknown', () => {
  const place = placed({ 'alone-small': [true], 'alone-large': [true], cascade: [false] }, { cascade: null })
  expect(place).toMatchObject({
    between: { success: null, costUsd: null },
    values: { method: { costUsd: null } },
  })
})

it('says so when a method is outside of its ends', () => {
  const place = placed(
    { 'alone-small': [false, false], 'alone-large': [true, false], cascade: [true, true] },
    { cascade: 0.2 },
  )
  expect(place?.between.success).toBeCloseTo(2)
  expect(place?.between.costUsd).toBeGreaterThan(1)
})

it('tells the regret against the best agent alone, with limits that hold for all agents together', () => {
  const rows = {
    'alone-small': [true, false, false, false, true, false],
    'alone-large': [true, true, true, false, true, false],
    cascade: [true, true, false, true, false, false],
  }
  const regret = placed(rows)?.regret
  expect(regret).toMatchObject({ best: 'alone-large', estimate: expect.closeTo(1 / 6), gained: 1, lost: 2 })
  const values = (row: readonly boolean[]) => row.map((passed) => successValue(Number(passed), 1, 0))
  const limits = (['alone-small', 'alone-large'] as const).map((row) =>
    outcomeInterval(values(rows[row]), values(rows.cascade), 0.975),
  )
  expect(regret?.lower).toBe(Math.max(...limits.map(({ lower }) => lower as number)))
  expect(regret?.upper).toBe(Math.max(...limits.map(({ upper }) => upper as number)))
})

it('of equal agents the cheapest is the best alone, and a method that passes more has a regret below 0', () => {
  const equal = { 'alone-small': [true, false], 'alone-large': [false, true], cascade: [true, true] }
  expect(placed(equal)?.regret).toMatchObject({ best: 'alone-small', estimate: -0.5, gained: 1, lost: 0 })
})
