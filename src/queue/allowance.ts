import { randomUUID } from 'node:crypto'
import { dollarMark } from '../analysis/evidence.ts'
import type { Session } from '../loop/branch/run-session.ts'
import type { BudgetShare } from '../loop/budget/budget-share.ts'
import type { CallMemory } from '../loop/budget/reservations.ts'
import { begunBlocks, blockFolder } from '../loop/join/blocks.ts'
import { readPastSpending } from '../loop/work/session-budget.ts'
import type { Budgets, BudgetUnit } from '../schema/limits.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { claimTogether, scaleOf } from './claim-together.ts'
import type { Database } from './database.ts'

/** What a worker may use of the limits of a run while it plays one block. */
export interface Allowance extends BudgetShare {
  /** Ends the renewal of the lease. What was not given back counts for others until it ends. */
  close(): void
}

/** A run as its coordinator begins it or goes on. */
export interface RunSoFar extends Pick<Session, 'folder' | 'plan'> {
  budgets: Budgets
  /** Number of its blocks. */
  blocks: number
  /** How long it has lasted. */
  pastMs: number
}

/** Sets the limits of a run. What was spent under a limit that the database knows stays; for another, the ledgers tell. */
export async function setLimits(database: Database, run: string, about: RunSoFar): Promise<void> {
  const { budgets, blocks, pastMs, folder, plan } = about
  const limits = [['', budgets.run] as const, ...Object.entries(budgets.methods)].flatMap(
    ([method, limits]) =>
      (Object.entries(limits) as [BudgetUnit, number][]).map(([unit, amount]) => {
        const whole = Math.max(1, Math.floor(amount * scaleOf(unit)))
        return { method, unit, amount: whole, share: Math.ceil(whole / blocks) }
      }),
  )
  const spentIn = (place: string) => {
    const past = [...readPastSpending(place, plan)]
    return ({ method, unit }: { method: string; unit: BudgetUnit }) => {
      const all = past.filter(([of]) => method === '' || of === method)
      return Math.round(all.reduce((sum, [, spent]) => sum + spent[unit], 0) * scaleOf(unit))
    }
  }
  await database.transaction(async ({ query }) => {
    await query('select run from bench_run where run = $1 for update', [run])
    const known = await query<{ method: string; unit: BudgetUnit }>(
      'select method, unit from bench_limit where run = $1 for update',
      [run],
    )
    const isNew = (limit: { method: string; unit: BudgetUnit }) =>
      !known.some(({ method, unit }) => method === limit.method && unit === limit.unit)
    const fresh = limits.filter(isNew)
    const begun = fresh.length === 0 ? [] : begunBlocks(folder)
    const rows = begun.flatMap((block) => {
      const spent = spentIn(blockFolder(folder, block))
      return fresh.map(({ method, unit }) => ({ method, unit, block, spent: spent({ method, unit }) }))
    })
    const joined = fresh.length === 0 ? () => 0 : spentIn(folder)
    const whole = limits.map((limit) => {
      const own = rows.filter(({ method, unit }) => method === limit.method && unit === limit.unit)
      return { ...limit, spent: own.reduce((sum, { spent }) => sum + spent, joined(limit)) }
    })
    await query(
      `insert into bench_limit (run, method, unit, amount, share, spent, began)
       select $1, method, unit, amount, share, spent, clock_timestamp() - $3 * interval '1 millisecond'
       from jsonb_to_recordset($2) as limits (method text, unit text, amount bigint, share bigint, spent bigint)
       on conflict (run, method, unit)
       do update set amount = excluded.amount, share = excluded.share, began = excluded.began`,
      [run, JSON.stringify(whole), pastMs],
    )
    await query(
      `insert into bench_allowance (run, method, unit, block, holder, spent, reserved)
       select $1, method, unit, block, '', spent, 0
       from jsonb_to_recordset($2) as rows (method text, unit text, block integer, spent bigint)`,
      [run, JSON.stringify(rows)],
    )
  })
}

/**
 * Returns a function that opens the allowance of a block of a run; `tell` gets a line where a worker that died has left one. An
 * allowance that is not renewed for `leaseMs` counts for nobody any more.
 */
export function openAllowances(
  database: Database,
  manifest: Parameters<typeof dollarMark>[0] & Pick<RunManifest, 'id'>,
  leaseMs: number,
): (block: number, tell: (message: string) => void) => Allowance {
  const memory: CallMemory = new Map()
  const shared = { run: manifest.id, leaseMs, mark: dollarMark(manifest) }
  return (block, tell) => {
    const holder = randomUUID()
    let [began, isHeld, isRenewing] = [0, false, false]
    let timer: NodeJS.Timeout | undefined
    const renew = async () => {
      if (isRenewing) return
      isRenewing = true
      const text = `update bench_allowance set renewed = clock_timestamp() where run = $1 and block = $2 and holder = $3`
      // If the database is gone, the next claim says so.
      await database.query(text, [shared.run, block, holder]).catch(() => {})
      isRenewing = false
    }
    return {
      memory,
      elapsedMs: () => performance.now() - began,
      async claim(claims, assertHeld) {
        timer ??= setInterval(renew, leaseMs / 3).unref()
        for (;;) {
          const own = { ...shared, block, holder, isHeld }
          const answer = await database.transaction((client) => claimTogether(client, own, claims))
          // One that was suspended may have claimed the block, whose folder it has no longer.
          isHeld = answer !== undefined
          if (!answer) {
            assertHeld()
            continue
          }
          began = performance.now() - answer.elapsedMs
          for (const message of answer.left) tell(message)
          return answer.grants
        }
      },
      close: () => clearInterval(timer),
    }
  }
}
