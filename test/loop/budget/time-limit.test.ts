import { afterEach, expect, it, vi } from 'vitest'
import { cutHangingCalls } from '../../../src/loop/work/session-budget.ts'

afterEach(() => void vi.useRealTimers())

/** Returns when calls are cut; ms after the beginning of the watch. */
function cutAt(timeMs: number | undefined, { pastMs = 0, longestCallMs = 0 } = {}): number | undefined {
  vi.useFakeTimers()
  const started = Date.now()
  let at: number | undefined
  let isStopped = false
  const markStopped = () => {
    isStopped = true
  }
  const runBudget = { longestCallMs: () => longestCallMs, markStopped }
  const end = cutHangingCalls(
    timeMs,
    () => pastMs + Date.now() - started,
    runBudget,
    () => {
      at = Date.now() - started
    },
  )
  vi.advanceTimersByTime(100 * 86_400_000)
  end()
  expect(isStopped).toBe(at !== undefined)
  return at
}

it("calls that hang are cut 10 s after the run's time limit", () => {
  expect(cutAt(3000)).toBe(13_000)
  expect(cutAt(3000, { pastMs: 2000 })).toBe(11_000)
})

it('calls may take twice as long as the longest call so far', () => {
  expect(cutAt(3000, { longestCallMs: 60_000 })).toBe(123_000)
})

it('a time limit beyond the range of a timer works, and without a time limit no call is cut', () => {
  expect(cutAt(40 * 86_400_000)).toBe(40 * 86_400_000 + 10_000)
  expect(cutAt(undefined)).toBeUndefined()
})
