import { describe, expect, it } from 'vitest'
import { noWork, timeLeft, type WorkTimes } from '../../../src/commands/terminal/time-left.ts'

const work = (more: Partial<WorkTimes>): WorkTimes => ({ ...noWork(), ...more })
const seconds = (count: number) => count * 1000

describe('the time left of a run', () => {
  it('is that of the other trials at the rate so far, whatever runs side by side', () => {
    // Two at once: 20 s of work in 10 s.
    const done = work({ trials: 10, trialMs: seconds(20) })
    expect(timeLeft(done, { trials: 30, tasks: 0 }, seconds(10), 0)).toEqual({
      ms: seconds(30),
      atLeast: false,
    })
  })

  it('counts the tasks that are not prepared yet, and the rest of those that are being prepared', () => {
    const done = () =>
      work({
        ...{ trials: 4, trialMs: seconds(4), prepared: 2, preparedMs: seconds(60) },
        preparing: new Map([['a', seconds(54)]]),
      })
    // 70 s of work in 64 s, one task after the other; of the third 20 s are left by the average of 70/3 s.
    const left = timeLeft(done(), { trials: 12, tasks: 8 }, seconds(64), seconds(64))
    const average = 70 / 3
    expect(left?.ms).toBeCloseTo(((12 + 5 * average + (average - 10)) / 74) * seconds(64), 3)
    expect(left?.ms).toBeGreaterThan(seconds(100))
    const without = timeLeft(
      work({ trials: 4, trialMs: seconds(4) }),
      { trials: 12, tasks: 0 },
      seconds(4),
      0,
    )
    expect(without?.ms).toBe(seconds(12))
  })

  it('is not told after a few trials or seconds, or before a quarter of the tasks is prepared', () => {
    const known = (more: Partial<WorkTimes>, elapsed = seconds(60), tasks = 8) =>
      timeLeft(work({ trialMs: 10, trials: 5, ...more }), { trials: 10, tasks }, elapsed, elapsed) !==
      undefined
    expect(known({})).toBe(true)
    expect(known({ trials: 2 })).toBe(false)
    expect(known({}, 1999)).toBe(false)
    expect(known({ prepared: 1, preparedMs: 10 })).toBe(false)
    expect(known({ preparing: new Map([['a', 0]]) })).toBe(false)
    expect(known({ prepared: 2, preparedMs: 10 })).toBe(true)
    expect(timeLeft(work({ trials: 9, trialMs: 9 }), { trials: 0, tasks: 0 }, seconds(9), 0)).toBeUndefined()
  })

  it('never grows while work goes on, and says where it takes longer than was told', () => {
    // 20 tasks of four trials, the first 10 of them quick, the others ten times as slow to prepare.
    const done = noWork()
    const told: { ms: number; atLeast: boolean }[] = []
    let now = 0
    for (let task = 0; task < 20; task++) {
      const takes = task < 10 ? 600 : 6000
      done.preparing.set('task', now)
      for (const end = now + takes; now < end; now += 200) {
        const left = timeLeft(done, { trials: 80 - done.trials, tasks: 20 }, now, now)
        if (left) told.push(left)
      }
      done.preparing.clear()
      done.prepared++
      done.preparedMs += takes
      done.trials += 4
      done.trialMs += 400
      now += 400
    }
    expect(told.length).toBeGreaterThan(200)
    for (const [i, { ms }] of told.entries()) expect(ms).toBeLessThanOrEqual(told[i - 1]?.ms ?? ms)
    expect(told.some(({ atLeast }) => atLeast)).toBe(true)
    expect(told.filter(({ atLeast }) => !atLeast).length).toBeGreaterThan(20)
    expect(told.at(-1)?.ms).toBeLessThan(seconds(8))
  })
})
