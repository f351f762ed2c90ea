import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adaptedLimits, isStuck } from '../../src/workflows/progress.ts'

const score = fc.integer({ min: 0, max: 4 }).map((quarter) => quarter / 4)

describe('progress', () => {
  it('is stuck after two runs without improvement', () => {
    expect(isStuck([0.5, 0.5], 2)).toBe(false)
    expect(isStuck([0.5, 0.5, 0.5], 2)).toBe(true)
    expect(isStuck([0.5, 0.6, 0.4], 2)).toBe(false)
    expect(isStuck([0.6, 0.5, 0.4], 2)).toBe(true)
    expect(isStuck([0.6, 0.5, 0.55], 2)).toBe(false)
  })

  it("agrees with the document's ProgressTracker on every history", () => {
    const document = (scores: number[]) => {
      if (scores.length < 3) return false
      const [a = 0, b = 0, c = 0] = scores.slice(-3)
      return c <= b && b <= a
    }
    fc.assert(
      fc.property(fc.array(score, { maxLength: 8 }), (scores) => isStuck(scores, 2) === document(scores)),
    )
  })

  it('is never stuck within its patience, nor right after an improvement', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 8 }), fc.integer({ min: 1, max: 6 }), (scores, patience) => {
        if (scores.length <= patience) expect(isStuck(scores, patience)).toBe(false)
        expect(isStuck([...scores, (scores.at(-1) ?? 0) + 0.01], patience)).toBe(false)
      }),
    )
  })
})

describe('adapted limits', () => {
  const limits = { maxOuter: 5, maxInner: 10 }

  it('are the given limits when all is missing, and 1 when nothing is', () => {
    expect(adaptedLimits(limits, 0, 0.8)).toEqual(limits)
    expect(adaptedLimits(limits, 0.8, 0.8)).toEqual({ maxOuter: 1, maxInner: 1 })
    expect(adaptedLimits(limits, 0.4, 0.8)).toEqual({ maxOuter: 3, maxInner: 6 })
  })

  it('stay between 1 and the given limits, and never grow with compliance', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    const most = fc.integer({ min: 1, max: 50 })
    fc.assert(
      fc.property(most, most, fraction, fraction, fraction, (maxOuter, maxInner, a, b, wanted) => {
        const low = adaptedLimits({ maxOuter, maxInner }, Math.min(a, b), wanted)
        const high = adaptedLimits({ maxOuter, maxInner }, Math.max(a, b), wanted)
        for (const { maxOuter: outer, maxInner: inner } of [low, high]) {
          expect(outer).toBeGreaterThanOrEqual(1)
          expect(outer).toBeLessThanOrEqual(maxOuter)
          expect(inner).toBeGreaterThanOrEqual(1)
          expect(inner).toBeLessThanOrEqual(maxInner)
        }
        expect(high.maxInner).toBeLessThanOrEqual(low.maxInner)
      }),
    )
  })
})
