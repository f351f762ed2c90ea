import { setMaxListeners } from 'node:events'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nothingSpent } from '../../../src/loop/budget/limits.ts'
import { type BudgetAlert, openRunBudget, type UncountedCall } from '../../../src/loop/budget/run-budget.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'

/** A signal of a run, to which every call that waits listens. */
function heardByAll(): AbortSignal {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return signal
}

/** A call with its use; null is not reported. */
const call = (tokens: number | null, costUsd: number | null, durationMs = 0) =>
  ({ agent: 'm', tokens: { input: tokens, output: 0, cached: null }, costUsd, durationMs }) as AskStep

function listener({ stops = false } = {}) {
  const alerts: BudgetAlert[] = []
  const uncounted: string[] = []
  return {
    alerts,
    uncounted,
    events: {
      onAlert: (alert: BudgetAlert) => void alerts.push(alert),
      onUncounted: ({ limit, method, agent = 'cut off', answered }: UncountedCall) => {
        uncounted.push(`${limit} ${method} ${agent}`)
        return stops && answered
      },
    },
  }
}

const still = () => 0

it('a run budget refuses calls once a limit is reached, and overshoots by the calls in flight at most', () => {
  const calls = fc.record({
    method: fc.constantFrom('a', 'b'),
    tokens: fc.integer({ min: 0, max: 50 }),
    // The number of calls that begin before this one ends.
    flight: fc.integer({ min: 0, max: 7 }),
  })
  fc.assert(
    fc.property(
      fc.array(calls, { maxLength: 80 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 40 }),
      (asked, runTokens, methodTokens, runCalls) => {
        const budgets = {
          run: { tokens: runTokens, calls: runCalls },
          methods: { a: { tokens: methodTokens } },
        }
        const runBudget = openRunBudget(budgets, new Map(), still, listener().events)
        const spent = { a: 0, b: 0 }
        let admitted = 0
        let flying: { due: number; method: string; tokens: number }[] = []
        const land = (now: number) => {
          for (const one of flying.filter(({ due }) => due <= now)) {
            runBudget.endCall(one.method, call(one.tokens, 0))
            spent[one.method as 'a' | 'b'] += one.tokens
          }
          flying = flying.filter(({ due }) => due > now)
        }
        let most = 0
        asked.forEach(({ method, tokens, flight }, now) => {
          land(now)
          const may =
            spent.a + spent.b < runTokens && admitted < runCalls && (method === 'b' || spent.a < methodTokens)
          expect(runBudget.beginCall(method)).toBe(may)
          if (!may) return
          admitted++
          flying.push({ due: now + 1 + flight, method, tokens })
          most = Math.max(
            most,
            flying.reduce((sum, one) => sum + one.tokens, 0),
          )
        })
        land(Number.POSITIVE_INFINITY)
        const uses = runBudget.limitUses()
        const used = (limit: string, scope: string) =>
          uses.find((use) => use.limit === limit && use.scope === scope)
        expect(used('calls', 'run')).toMatchObject({ used: admitted, over: 0 })
        expect(used('tokens', 'run')?.used).toBe(spent.a + spent.b)
        expect(used('tokens', 'method')?.used).toBe(spent.a)
        for (const use of uses) {
          expect(use.over).toBe(Math.max(0, use.used - use.of))
          expect(use.over).toBeLessThanOrEqual(most)
        }
      },
    ),
  )
})

it('a run budget includes the spending of earlier sessions, and does not repeat their alerts', () => {
  const { alerts, events } = listener()
  const past = new Map([['a', { ...nothingSpent(), costUsd: 0.5, calls: 3 }]])
  const runBudget = openRunBudget({ run: { costUsd: 1 }, methods: { b: { calls: 2 } } }, past, still, events)
  expect(alerts).toEqual([])
  expect(runBudget.beginCall('b')).toBe(true)
  runBudget.endCall('b', call(10, 0.2))
  expect(alerts).toEqual([{ scope: 'method', method: 'b', limit: 'calls', percent: 50, used: 1, of: 2 }])
  runBudget.beginCall('a')
  runBudget.endCall('a', call(10, 0.4))
  expect(alerts.slice(1)).toEqual([{ scope: 'run', limit: 'costUsd', percent: 95, used: 1.1, of: 1 }])
  expect(runBudget.mayAsk('a')).toBe(false)
  expect(runBudget.limitUses()).toEqual([
    { scope: 'run', limit: 'costUsd', of: 1, used: 1.1, over: 0.1, unreported: 0, stopped: true },
    { scope: 'method', method: 'b', limit: 'calls', of: 2, used: 1, over: 0, unreported: 0, stopped: false },
  ])
})

it('a reached run limit stays reached in the next session, however the cost was split between methods', () => {
  for (let cents = 0; cents <= 20; cents++) {
    const past = new Map([
      ['a', { ...nothingSpent(), costUsd: cents / 100 }],
      ['b', { ...nothingSpent(), costUsd: (20 - cents) / 100 }],
    ])
    const runBudget = openRunBudget({ run: { costUsd: 0.2 }, methods: {} }, past, still, listener().events)
    expect(runBudget.beginCall('a')).toBe(false)
    expect(runBudget.limitUses()).toMatchObject([{ used: 0.2, over: 0, stopped: true }])
  }
})

it('an unknown price is reported once, and its calls are counted as unreported', () => {
  const { uncounted, events } = listener()
  const runBudget = openRunBudget({ run: { costUsd: 1 }, methods: {} }, new Map(), still, events)
  for (const step of [call(10, null), call(null, null), undefined, call(10, 0.3)]) {
    runBudget.beginCall('a')
    runBudget.endCall('a', step)
  }
  expect(uncounted).toEqual(['costUsd a m', 'costUsd a cut off'])
  expect(runBudget.mayAsk('a')).toBe(true)
  expect(runBudget.limitUses()).toMatchObject([{ used: 0.3, unreported: 3 }])
})

it('where an uncounted reply stops the run, a call that was cut off does not, and an answered one does', () => {
  const { events } = listener({ stops: true })
  const runBudget = openRunBudget({ run: { tokens: 100 }, methods: {} }, new Map(), still, events)
  for (const [step, mayAsk] of [
    [undefined, true],
    [{ ...call(null, 0), error: { reason: 'network', message: 'cut' } }, true],
    [call(10, null), true],
    [call(null, 0), false],
  ] as const) {
    runBudget.beginCall('a')
    runBudget.endCall('a', step)
    expect(runBudget.mayAsk('a')).toBe(mayAsk)
  }
  expect(runBudget.beginCall('b')).toBe(false)
})

it('a run limit counts the real time of all sessions, and a method limit the time of calls and checks', () => {
  const { alerts, events } = listener()
  let now = 400
  const budgets = { run: { timeMs: 1000 }, methods: { a: { timeMs: 100 } } }
  const runBudget = openRunBudget(budgets, new Map(), () => now, events)
  runBudget.beginCall('a')
  runBudget.endCall('a', call(1, 0, 60))
  runBudget.addTime('a', 40)
  runBudget.addTime('b', 1000)
  expect([runBudget.mayAsk('a'), runBudget.mayAsk('b')]).toEqual([false, true])
  now = 1001
  expect(runBudget.mayAsk('b')).toBe(false)
  expect(runBudget.limitUses()).toMatchObject([
    { scope: 'run', used: 1001, over: 1, stopped: true },
    { scope: 'method', used: 100, over: 0, stopped: true },
  ])
  expect(alerts.map(({ scope, percent }) => `${scope} ${percent}`)).toEqual(['method 50', 'method 95'])
})

it('whenIdle resolves when the last call in flight has ended', async () => {
  const runBudget = openRunBudget({ run: { calls: 9 }, methods: {} }, new Map(), still, listener().events)
  await runBudget.whenIdle()
  runBudget.beginCall('a')
  runBudget.beginCall('a')
  let idle = false
  const waiting = runBudget.whenIdle().then(() => {
    idle = true
  })
  runBudget.endCall('a', call(1, 0))
  await Promise.resolve()
  expect(idle).toBe(false)
  runBudget.endCall('a', undefined)
  await waiting
})

it('reserveCall begins only as many calls as the remaining money allows at the average cost of their method', async () => {
  const calls = fc.array(
    fc.record({ method: fc.constantFrom('a', 'b'), usd: fc.integer({ min: 5, max: 15 }) }),
    { minLength: 1, maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(
      calls,
      fc.integer({ min: 20, max: 400 }),
      fc.scheduler(),
      async (asked, limit, scheduler) => {
        const runBudget = openRunBudget(
          { run: { costUsd: limit }, methods: {} },
          new Map(),
          still,
          listener().events,
        )
        const signal = heardByAll()
        let spent = 0
        const all = asked.map(async ({ method, usd }) => {
          if (!(await runBudget.reserveCall(method, signal))) return
          await scheduler.schedule(Promise.resolve())
          spent += usd
          runBudget.endCall(method, call(1, usd))
        })
        await scheduler.waitFor(Promise.all(all))
        // Each call in flight may cost up to 10 more than the cheapest so far.
        const room = limit / 5
        expect(spent).toBeLessThan(limit + 10 * room)
        if (spent < limit) expect(spent).toBe(asked.reduce((sum, { usd }) => sum + usd, 0))
      },
    ),
  )
})

it('a limit in dollars is exceeded by less than one call if calls cost the same, however many calls wait', async () => {
  const runBudget = openRunBudget(
    { run: { costUsd: 0.05 }, methods: {} },
    new Map(),
    still,
    listener().events,
  )
  const signal = heardByAll()
  let most = 0
  let inFlight = 0
  const admitted = await Promise.all(
    Array.from({ length: 64 }, async () => {
      if (!(await runBudget.reserveCall('a', signal))) return 0
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setTimeout(resolve, 2))
      inFlight--
      runBudget.endCall('a', call(1, 0.01))
      return 1
    }),
  )
  expect(admitted.filter(Boolean)).toHaveLength(5)
  expect(most).toBe(4)
  expect(runBudget.limitUses()).toMatchObject([{ limit: 'costUsd', used: 0.05, over: 0, stopped: true }])
})

it('reserveCall uses the cost of calls in earlier sessions, and begins calls without a price in parallel', async () => {
  const signal = heardByAll()
  const before = { ...nothingSpent(), calls: 4, costUsd: 4 }
  const resumed = openRunBudget(
    { run: { costUsd: 7.5 }, methods: {} },
    new Map([['a', before]]),
    still,
    listener().events,
  )
  expect(
    await Promise.all([
      resumed.reserveCall('a', signal),
      resumed.reserveCall('a', signal),
      resumed.reserveCall('a', signal),
    ]),
  ).toHaveLength(3)
  const fourth = resumed.reserveCall('a', signal)
  expect(await Promise.race([fourth, Promise.resolve('waits')])).toBe('waits')
  for (let i = 0; i < 3; i++) resumed.endCall('a', call(1, 1))
  expect(await fourth).toBe(true)

  const unpriced = openRunBudget({ run: { costUsd: 1 }, methods: {} }, new Map(), still, listener().events)
  expect(await unpriced.reserveCall('a', signal)).toBe(true)
  unpriced.endCall('a', call(1, null))
  for (let i = 0; i < 5; i++) expect(await unpriced.reserveCall('a', signal)).toBe(true)
})

it('reserveCall stops waiting when the run is aborted', async () => {
  const runBudget = openRunBudget({ run: { tokens: 5 }, methods: {} }, new Map(), still, listener().events)
  const stop = new AbortController()
  expect(await runBudget.reserveCall('a', stop.signal)).toBe(true)
  const second = runBudget.reserveCall('a', stop.signal)
  stop.abort()
  expect(await second).toBe(false)
})
