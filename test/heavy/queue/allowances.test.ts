import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import type { Claim } from '../../../src/loop/budget/budget-share.ts'
import { openRunBudget } from '../../../src/loop/budget/run-budget.ts'
import { joinPlans } from '../../../src/loop/plan/plan.ts'
import { type Allowance, openAllowances, setLimits } from '../../../src/queue/allowance.ts'
import { type Database, openDatabase } from '../../../src/queue/database.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { Budgets } from '../../../src/schema/limits.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'

const { it, describe } = needs('postgres')

/** Longer than a test: what has expired is made so by hand. */
const leaseMs = 3_600_000

let runs = 0
/** The session has the folder of its block. */
const held = () => {}

describe('the limits of a run in PostgreSQL', () => {
  let server: Postgres
  let database: Database
  beforeAll(async () => {
    server = await startPostgres()
    database = await openDatabase(server.url)
    return async () => {
      await database.close()
      await server.stop()
    }
  })

  const openRun = async (budgets: Budgets, blocks: number) => {
    const run = `run-${++runs}`
    await database.query("insert into bench_run (run, folder, mark, queues) values ($1, $1, '', '{}')", [run])
    await setLimits(database, run, { budgets, blocks, pastMs: 0, folder: tempFolder(), plan: joinPlans([]) })
    const openAllowance = openAllowances(database, { id: run, mode: 'live', simulated: false }, leaseMs)
    const told: string[] = []
    return {
      run,
      told,
      open: (block: number) => openAllowance(block, (text) => told.push(text)),
    }
  }
  const rowsOf = (run: string) =>
    database.query<{ unit: string; spent: string; reserved: string; own: string }>(
      `select unit, l.spent, coalesce(sum(a.spent), 0)::text as own, coalesce(sum(a.reserved), 0)::text as reserved
       from bench_limit l left join bench_allowance a using (run, method, unit) where run = $1 group by unit, l.spent order by unit`,
      [run],
    )

  const deeds = fc.record({
    worker: fc.nat({ max: 3 }),
    deed: fc.constantFrom('claim', 'claim', 'use', 'use', 'use', 'give back', 'die', 'lease'),
    amount: fc.integer({ min: 1, max: 20 }),
  })

  it('four workers, whatever they claim, use, give back and leave behind, spend at most what the dead had in hand over a limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(deeds, { maxLength: 30 }),
        fc.integer({ min: 1, max: 120 }),
        async (all, limit) => {
          // A tenth of a cent is no number of binary digits.
          const { run, open } = await openRun({ run: { costUsd: limit / 1000 }, methods: {} }, 8)
          const blocks = [1, 2, 3, 4].map((block) => ({
            block,
            share: open(block),
            used: 0,
            most: 0,
            expired: false,
          }))
          let left = 0
          for (const { worker, deed, amount } of all) {
            const own = blocks[worker] as (typeof blocks)[number]
            const room = own.most - own.used
            if (deed === 'use') own.used += Math.min(amount, room)
            if (deed === 'die') {
              if (!own.expired) left += room
              own.share.close()
              own.share = open(own.block)
            }
            if (deed === 'lease' && !own.expired && room > 0) {
              await database.query(
                `update bench_allowance set renewed = '-infinity' where run = $1 and block = $2`,
                [run, own.block],
              )
              Object.assign(own, { expired: true })
              left += room
            }
            if (deed === 'use' || deed === 'lease') continue
            const claim: Claim = {
              ...{ method: undefined, limit: 'costUsd', used: own.used / 1000, inFlight: 0 },
              ...{ need: deed === 'claim' ? amount / 1000 : 0, isKnown: true },
            }
            const [grant] = await own.share.claim([claim], held)
            own.most = own.used + Math.round((grant?.room ?? 0) * 1000)
            own.expired = false
          }
          const spent = blocks.reduce((sum, { used }) => sum + used, 0)
          expect(spent).toBeLessThanOrEqual(limit + left)
          // All that was used is told in the end, to the millionth.
          for (const { share, used } of blocks) {
            await share.claim(
              [{ limit: 'costUsd', used: used / 1000, inFlight: 0, need: 0, isKnown: true }],
              held,
            )
            share.close()
          }
          expect(await rowsOf(run)).toEqual([
            { unit: 'costUsd', spent: `${spent * 1000}`, own: `${spent * 1000}`, reserved: '0' },
          ])
        },
      ),
      { numRuns: 40 },
    )
  })

  it('a worker that takes a block again settles what a dead one had in hand, tells it, and takes it from that one', async () => {
    const { run, open, told } = await openRun({ run: { calls: 40, costUsd: 0.1 }, methods: {} }, 4)
    const claims = (calls: number, need: number): Claim[] => [
      { limit: 'calls', used: calls, inFlight: 0, need, isKnown: true },
      { limit: 'costUsd', used: calls / 1000, inFlight: 0, need: need / 1000, isKnown: true },
    ]
    const dead = open(1)
    expect(await dead.claim(claims(0, 1), held)).toMatchObject([{ room: 10 }, { room: 0.025 }])
    const next = open(1)
    await next.claim(claims(3, 0), held)
    expect(told).toEqual([
      'block 1 was left with 10 calls of a limit in hand; its ledger has 3 calls of that, and the rest is free again',
      'block 1 was left with $0.0250 of a limit in hand; its ledger has $0.00300 of that, and the rest is free again',
    ])
    // It was only suspended, and has the folder no longer.
    const lost = () => {
      throw new Error('somebody has taken it over')
    }
    await expect(dead.claim(claims(9, 1), lost)).rejects.toThrow('somebody has taken it over')
    expect(await rowsOf(run)).toMatchObject([
      { spent: '3', reserved: '0' },
      { spent: '3000', reserved: '0' },
    ])
    // Another one was suspended between taking the folder and its first claim: whoever has the folder goes on.
    const late = open(1)
    await late.claim(claims(2, 1), held)
    expect(await next.claim(claims(4, 1), held)).toMatchObject([{ room: 1 }, { room: 0.001 }])
    await expect(late.claim(claims(9, 1), lost)).rejects.toThrow('somebody has taken it over')
    for (const share of [dead, next, late]) share.close()
  })

  it('workers with calls at once use a limit to its end and no call more, also where the server crashes meanwhile', async () => {
    const budgets = { run: { calls: 60, costUsd: 5 }, methods: {} }
    const { run, open } = await openRun(budgets, 8)
    let made = 0
    const play = async (share: Allowance) => {
      const { signal } = new AbortController()
      const events = { onAlert: () => {}, onUncounted: () => false }
      const onFailure = (error: unknown) => {
        throw error
      }
      const budget = openRunBudget(budgets, new Map(), () => 0, events, new Set(), {
        share,
        assertHeld: () => {},
        onFailure,
      })
      await budget.settle()
      const calls = async () => {
        while (await budget.reserveCall('a', signal)) {
          if (++made === 20) {
            await server.crash('kill')
            await server.restart()
          }
          await new Promise((resolve) => setTimeout(resolve, 5))
          budget.endCall('a', {
            agent: 'm',
            tokens: { input: 1, output: 1, cached: null },
            costUsd: 0.01,
            durationMs: 1,
          } as AskStep)
        }
      }
      await Promise.all([calls(), calls()])
      await budget.settle()
      share.close()
    }
    await Promise.all([1, 2, 3, 4].map((block) => play(open(block))))
    expect(made).toBe(60)
    expect(await rowsOf(run)).toEqual([
      { unit: 'calls', spent: '60', own: '60', reserved: '0' },
      { unit: 'costUsd', spent: '600000', own: '600000', reserved: '0' },
    ])
  })

  it('a worker that stands still amid a transaction keeps the others waiting for seconds, and makes it anew when it goes on', async () => {
    const { run } = await openRun({ run: {}, methods: {} }, 1)
    let [tries, goOn, hasBegun] = [0, () => {}, () => {}]
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve
    })
    const still = database.transaction(async ({ query }) => {
      await query(`update bench_run set folder = 'one' where run = $1`, [run])
      hasBegun()
      if (++tries === 1)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      await query(`update bench_run set mark = 'one' where run = $1`, [run])
    })
    await begun
    await database.query(`update bench_run set folder = 'other' where run = $1`, [run])
    goOn()
    await still
    expect(tries).toBe(2)
    const found = await database.query('select folder, mark from bench_run where run = $1', [run])
    expect(found).toEqual([{ folder: 'one', mark: 'one' }])
  })

  it('a limit that is raised keeps what was spent, and a run that is removed takes its rows with it', async () => {
    const { run, open } = await openRun(
      { run: { calls: 5, timeMs: 60_000 }, methods: { a: { tokens: 9 } } },
      2,
    )
    const share = open(1)
    const claim: Claim = { limit: 'calls', used: 5, inFlight: 0, need: 1, isKnown: true }
    expect(await share.claim([claim], held)).toMatchObject([{ room: 0 }])
    await setLimits(database, run, {
      budgets: { run: { calls: 12, timeMs: 60_000 }, methods: {} },
      blocks: 2,
      pastMs: 30_000,
      folder: tempFolder(),
      plan: joinPlans([]),
    })
    expect(await share.claim([claim], held)).toMatchObject([{ room: 1 }])
    expect(share.elapsedMs()).toBeGreaterThanOrEqual(30_000)
    share.close()
    await database.query('delete from bench_run where run = $1', [run])
    expect(await rowsOf(run)).toEqual([])
  })
})
