import { expect, it } from 'vitest'
import { contextHealth } from '../../../src/analysis/workflow/contexts.ts'

it.each([
  [0, 'healthy'],
  [600, 'healthy'],
  [601, 'moderate'],
  [800, 'moderate'],
  [801, 'filling'],
  [900, 'filling'],
  [901, 'critical'],
  [1000, 'critical'],
  [1500, 'critical'],
])('a largest prompt of %i tokens in a window of 1,000 is %s', (used, level) => {
  expect(contextHealth(used, 1000)).toMatchObject({ used, window: 1000, percent: used / 10, level })
})

it('each level has advice of its own, and a limit that is no round number belongs to the level below', () => {
  const advice = [0, 70, 85, 95].map((used) => contextHealth(used, 100).advice)
  expect(new Set(advice).size).toBe(4)
  expect(contextHealth(119_999_999_999_997, 199_999_999_999_995).level).toBe('healthy')
})

it('an unknown window, or calls without tokens, are unknown and say so', () => {
  expect(contextHealth(5, null)).toMatchObject({ percent: null, level: 'unknown' })
  expect(contextHealth(5, null).advice).toContain('`window`')
  expect(contextHealth(null, 5)).toMatchObject({ percent: null, level: 'unknown' })
  expect(contextHealth(null, 5).advice).toContain('reported no tokens')
})
