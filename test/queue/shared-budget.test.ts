import { setMaxListeners } from 'node:events'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BudgetShare, Claim, Grant } from '../../src/loop/budget/budget-share.ts'
import { type BudgetAlert, openRunBudget, type RunBudget } from '../../src/loop/budget/run-budget.ts'
import { grantRooms } from '../../src/queue/claim-together.ts'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import type { Budget, Budgets } from '../../src/schema/limits.ts'

interface Row {
  session: number
  key: string
  used: number
  reserved: number
}

/** The limits of a run of so many blocks in memory, of which each session has a share, as the database answers it. */
function sharesOf(budgets: Budgets, blocks: number) {
  const rows: Row[] = []
  const amounts = new Map<string, number>()
  const note = (method: string, limits: Budget) => {
    for (const [unit, amount] of Object.entries(limits)) amounts.set(`${method} ${unit}`, amount)
  }
  note('', budgets.run)
  for (const [method, limits] of Object.entries(budgets.methods)) note(method, limits)
  const known = new Set<string>()
  let claimed = 0
  const claim = (session: number, claims: readonly Claim[]): Grant[] => {
    claimed++
    const met = claims.map(({ method = '', limit, used, isKnown }) => {
      const key = `${method} ${limit}`
      if (isKnown) known.add(key)
      const sum = (of: (row: Row) => number) =>
        rows.reduce((total, row) => (row.key === key && row.session !== session ? total + of(row) : total), 0)
      const amount = amounts.get(key) ?? 0
      const state = {
        ...{ amount, estimate: known.has(key) ? Math.max(amount / blocks, used) : undefined },
        ...{ others: sum(({ used }) => used), reserved: sum(({ reserved }) => reserved) },
      }
      return { key, state }
    })
    const rooms = grantRooms(
      met.map(({ state }) => state),
      claims,
    )
    return met.map(({ key, state }, i) => {
      const [used, room] = [claims[i]?.used ?? 0, rooms[i] ?? 0]
      const at = rows.findIndex((row) => row.session === session && row.key === key)
      rows.splice(at < 0 ? rows.length : at, 1, { session, key, used, reserved: room })
      return { others: state.others, room, isLast: state.reserved === 0 }
    })
  }
  const shareFor = (session: number): BudgetShare => ({
    ...{ memory: new Map(), elapsedMs: () => 0 },
    async claim(claims) {
      const grants = claim(session, claims)
      await new Promise((resolve) => setImmediate(resolve))
      return grants
    },
  })
  return { shareFor, rows, claims: () => claimed }
}

const step = (tokens: number, costUsd: number) =>
  ({ agent: 'm', tokens: { input: tokens, output: 0, cached: null }, costUsd, durationMs: 1 }) as AskStep

const { signal } = new AbortController()
setMaxListeners(0, signal)

function open(budgets: Budgets, share: BudgetShare, alerts: BudgetAlert[] = []): RunBudget {
  const events = { onAlert: (alert: BudgetAlert) => void alerts.push(alert), onUncounted: () => false }
  const onFailure = (error: unknown) => {
    throw error
  }
  return openRunBudget(budgets, new Map(), () => 0, events, new Set(), {
    share,
    assertHeld: () => {},
    onFailure,
  })
}

/** Makes calls until the budget refuses one, or so many. Each takes a turn of the event loop. */
async function callOften(
  budget: RunBudget,
  method: string,
  { costUsd = 0, tokens = 0, most = 1000 },
): Promise<number> {
  let made = 0
  while (made < most && (await budget.reserveCall(method, signal))) {
    made++
    await new Promise((resolve) => setImmediate(resolve))
    budget.endCall(method, step(tokens, costUsd))
  }
  return made
}

it.each([
  ['calls', { calls: 100 }, 100],
  ['dollars', { costUsd: 1 }, 100],
  ['tokens', { tokens: 700 }, 100],
  ['all of them, the smallest first', { calls: 90, costUsd: 1, tokens: 700 }, 90],
])(
  'four sessions with three calls at once use a limit in %s to its end, and no call more',
  async (_, run, most) => {
    const budgets = { run, methods: {} }
    const { shareFor, rows } = sharesOf(budgets, 8)
    const sessions = [1, 2, 3, 4].map((session) => open(budgets, shareFor(session)))
    const made = await Promise.all(
      sessions.map(async (budget) => {
        const ofSession = [1, 2, 3].map(() => callOften(budget, 'a', { costUsd: 0.01, tokens: 7 }))
        const [one = 0, two = 0, three = 0] = await Promise.all(ofSession)
        await budget.settle()
        return one + two + three
      }),
    )
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(most)
    expect(rows.every(({ reserved }) => reserved === 0)).toBe(true)
    // Each of them sees what all have used.
    await Promise.all(sessions.map((budget) => budget.settle()))
    for (const budget of sessions)
      expect(budget.limitUses().filter(({ stopped }) => stopped)).toMatchObject([{ over: 0 }])
  },
)

const settings = fc.record({
  run: fc.record({ calls: fc.integer({ min: 1, max: 120 }) }),
  a: fc.record({ costUsd: fc.integer({ min: 1, max: 40 }) }),
  b: fc.record({ tokens: fc.integer({ min: 1, max: 40 }), calls: fc.integer({ min: 1, max: 40 }) }),
  sessions: fc.integer({ min: 1, max: 5 }),
  atOnce: fc.integer({ min: 1, max: 3 }),
  blocks: fc.integer({ min: 1, max: 30 }),
})

it('limits of the run and of two methods hold over sessions, and none waits for ever for what another has left', async () => {
  const hold = async ({
    run,
    a,
    b,
    ...many
  }: typeof settings extends fc.Arbitrary<infer Of> ? Of : never) => {
    const budgets = { run, methods: { a, b } }
    const { shareFor } = sharesOf(budgets, many.blocks)
    const made = { a: 0, b: 0, c: 0 }
    const play = async (session: number) => {
      const budget = open(budgets, shareFor(session))
      const loops = (['a', 'b', 'c'] as const).flatMap((method) =>
        Array.from({ length: many.atOnce }, async () => {
          const count = await callOften(budget, method, { costUsd: 1, tokens: 1 })
          made[method] += count
        }),
      )
      await Promise.all(loops)
      await budget.settle()
    }
    await Promise.all(Array.from({ length: many.sessions }, (_, i) => play(i)))
    expect(made.a).toBeLessThanOrEqual(a.costUsd)
    expect(made.b).toBeLessThanOrEqual(Math.min(b.tokens, b.calls))
    expect(made.a + made.b + made.c).toBe(run.calls)
  }
  await Promise.all(fc.sample(settings, 60).map(hold))
})

it('a session that goes on where others have stopped finds what they have given back', async () => {
  const budgets = { run: { calls: 20 }, methods: {} }
  const { shareFor } = sharesOf(budgets, 2)
  const [one, other] = [open(budgets, shareFor(1)), open(budgets, shareFor(2))]
  expect(await callOften(one, 'a', { most: 3 })).toBe(3)
  const rest = callOften(other, 'a', {})
  await new Promise((resolve) => setTimeout(resolve, 5))
  await one.settle()
  expect(await rest).toBe(17)
  expect(one.mayAsk('a')).toBe(true)
  await other.settle()
  await one.settle()
  expect(one.mayAsk('a')).toBe(false)
})

it('a session asks once for its block, not for each call, and tells a level of use that others have reached once', async () => {
  const budgets = { run: { costUsd: 100 }, methods: {} }
  const { shareFor, claims } = sharesOf(budgets, 8)
  const alerts: BudgetAlert[] = []
  const first = open(budgets, shareFor(1), alerts)
  await callOften(first, 'a', { costUsd: 1, most: 55 })
  await first.settle()
  expect(claims()).toBeLessThan(60)
  expect(alerts.map(({ percent }) => percent)).toEqual([50])
  const second = open(budgets, shareFor(2), alerts)
  await second.settle()
  await callOften(second, 'a', { costUsd: 1, most: 30 })
  expect(alerts.map(({ percent }) => percent)).toEqual([50, 80])
})

it('requests inside of a call ask for room, too', async () => {
  const budgets = { run: { calls: 10, tokens: 100 }, methods: {} }
  const { shareFor } = sharesOf(budgets, 100)
  const budget = open(budgets, shareFor(1))
  expect(await callOften(budget, 'a', { tokens: 1, most: 1 })).toBe(1)
  expect(await budget.reserveCall('a', signal)).toBe(true)
  const [scope] = budget.requestScopes('a')
  expect(scope?.part?.tokens?.most).toBe(2)
  while ((scope?.part?.tokens?.most ?? 0) < 40) await budget.whenEnded('a', { tokens: 40, costUsd: null })
})

it('a share that fails is told, and no further call begins', async () => {
  const share: BudgetShare = {
    ...{ memory: new Map(), elapsedMs: () => 0 },
    claim: async () => {
      throw new Error('the database is gone')
    },
  }
  const stop = new AbortController()
  const failed: unknown[] = []
  const events = { onAlert: () => {}, onUncounted: () => false }
  const onFailure = (error: unknown) => {
    failed.push(error)
    stop.abort()
  }
  const budget = openRunBudget({ run: { calls: 9 }, methods: {} }, new Map(), () => 0, events, new Set(), {
    share,
    assertHeld: () => {},
    onFailure,
  })
  expect(await budget.reserveCall('a', stop.signal)).toBe(false)
  expect(failed).toEqual([new Error('the database is gone')])
  await expect(budget.settle()).rejects.toThrow('the database is gone')
})
