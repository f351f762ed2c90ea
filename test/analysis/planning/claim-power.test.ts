import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  detectableDifference,
  detectableEffect,
  leastSeparated,
  tasksForClaim,
} from '../../../src/analysis/planning/claim-power.ts'
import { compare, onlyPair, repeat, trials } from '../compare/compared.ts'

const level = { alpha: 0.05, power: 0.8 }

describe('the detectable difference', () => {
  // R: power.t.test(n, power = 0.8, type = 'paired', strict = TRUE)$delta, in standard deviations.
  it.each([
    [6, 1.435],
    [8, 1.156],
    [20, 0.66],
    [60, 0.368],
  ])('of %d tasks is that of R’s power.t.test', (tasks, effect) => {
    expect(detectableEffect(tasks, 0.05, 0.8)).toBeCloseTo(effect, 3)
  })

  it.each([
    [0.05, 6],
    [0.05 / 3, 7],
    [0.05 / 15, 10],
  ])('at level %d needs that many separated tasks', (alpha, least) => {
    expect(leastSeparated(alpha)).toBe(least)
    expect(2 ** (1 - least)).toBeLessThan(alpha)
    expect(2 ** (2 - least)).toBeGreaterThanOrEqual(alpha)
  })

  it('near the ceiling is at least that of six separated tasks', () => {
    const rows = ['11110', ...repeat('11111', 19)]
    const { planning } = onlyPair(compare([...trials('a', repeat('11111', 20)), ...trials('b', rows)]))
    // Six of twenty tasks that differ by one epoch of five are six points.
    expect(planning.mde as number).toBeGreaterThan(0.06)
    expect(planning).toMatchObject({ separatedNeeded: 6, tied: true, mdeRefusal: null })
    expect(planning.separatedSize).toBeCloseTo(0.2, 12)
  })

  it.each([
    ['five tasks', 5, 'too-few-tasks'],
    ['six tasks that differ by much', 6, 'beyond-range'],
  ])('is refused for %s', (_, tasks, refusal) => {
    const a = Array.from({ length: tasks }, (_, task) => (task % 2 === 0 ? '1' : '0'))
    const b = Array.from({ length: tasks }, (_, task) => (task % 2 === 0 ? '0' : '1'))
    const { planning } = onlyPair(compare([...trials('a', a), ...trials('b', b)]))
    expect(planning).toMatchObject({ mde: null, mdeInFamily: null, mdeRefusal: refusal })
  })

  it('and the tasks for it agree', () => {
    const pilot = fc.record({
      variance: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
      tied: fc.boolean(),
      size: fc.double({ min: 0.1, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(pilot, fc.integer({ min: 6, max: 60 }), (shape, tasks) => {
        const { mde } = detectableDifference(shape, tasks, level)
        if (mde === null) return
        const needed = tasksForClaim(shape, mde, level)
        expect(needed).toBeLessThanOrEqual(tasks)
        const found = detectableDifference(shape, needed, level).mde as number
        expect(found).toBeLessThanOrEqual(mde * (1 + 1e-4))
      }),
      { numRuns: 20 },
    )
  })
})
