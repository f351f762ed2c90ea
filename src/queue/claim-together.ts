import type { Claim, Grant } from '../loop/budget/budget-share.ts'
import { amountText } from '../reports/words/limit-text.ts'
import type { BudgetUnit } from '../schema/limits.ts'
import type { Database } from './database.ts'

/** A limit as a claim meets it, in whole units. */
export interface LimitState {
  amount: number
  /** What all other blocks have used of it, and what their workers may still use. */
  others: number
  reserved: number
  /** What a block is expected to use; undefined: no call has ended yet, so nobody knows. */
  estimate: number | undefined
}

/** A claim in whole units. */
export type WholeClaim = Pick<Claim, 'used' | 'inFlight' | 'need' | 'isKnown'>

/**
 * Decides about claims that are made together. A worker that cannot have all that it needs keeps what its calls in flight need and no
 * more, so that workers that wait for each other's rest do not wait for ever. Where nobody else has any, it may have the last rest.
 */
export function grantRooms(limits: readonly LimitState[], claims: readonly WholeClaim[]): number[] {
  const rooms = claims.map(({ used, inFlight, need, isKnown }, i) => {
    const { amount, others, reserved, estimate } = limits[i] as LimitState
    const free = amount - others - reserved - used
    if (need === 0) return inFlight
    // One worker tries how much a call uses; the others wait for that.
    if (estimate === undefined) return reserved === 0 && free > 0 ? free : undefined
    // A worker on which no call has ended takes what others have told for its guess.
    if (inFlight + (isKnown ? need : Math.max(need, estimate)) <= free)
      return Math.min(free, inFlight + Math.max(need, estimate - used))
    return reserved === 0 && inFlight === 0 && free > 0 ? free : undefined
  })
  return rooms.every((room) => room !== undefined) ? rooms : claims.map(({ inFlight }) => inFlight)
}

/** A block whose limits are claimed. */
interface ClaimedBlock {
  run: string
  block: number
  /** An allowance that is not renewed for so long counts for nobody any more; ms. */
  leaseMs: number
  /** Follows dollars. */
  mark: string
  /** Who claims. */
  holder: string
  /** Whether it has claimed before, so that another holder is one that has claimed since. */
  isHeld: boolean
}

interface LimitRow {
  method: string
  unit: BudgetUnit
  amount: string
  share: string
  spent: string
  most: string
  known: boolean
  ms: string
}

interface AllowanceRow {
  method: string
  unit: BudgetUnit
  own: boolean
  holder: string
  spent: string
  reserved: string
}

/**
 * Answers claims in one transaction; undefined: another one has claimed the block meanwhile. Made twice, it has the effect of one: it sets
 * what a block has used, and adds nothing.
 */
export async function claimTogether(
  { query }: Pick<Database, 'query'>,
  { run, block, leaseMs, mark, holder, isHeld }: ClaimedBlock,
  claims: readonly Claim[],
): Promise<{ grants: Grant[]; elapsedMs: number; left: string[] } | undefined> {
  // Claims of a run follow one another, since each locks all its limits.
  const limits = await query<LimitRow>(
    `select method, unit, amount, share, spent, most, known, extract(epoch from clock_timestamp() - began) * 1000 as ms
     from bench_limit where run = $1 order by method, unit for update`,
    [run],
  )
  // A server that was away has kept everybody from renewing.
  const rows = await query<AllowanceRow>(
    `select method, unit, block = $2 as own, holder, spent, reserved from bench_allowance
     where run = $1 and (block = $2 or (reserved > 0 and greatest(renewed, pg_postmaster_start_time()) > clock_timestamp() - $3 * interval '1 millisecond'))`,
    [run, block, leaseMs],
  )
  if (isHeld && rows.some((row) => row.own && row.holder !== holder)) return undefined
  const whole = claims.map(toWhole)
  const met = claims.map((claim) => meet(limits, rows, claim))
  const states = met.map(({ state }) => state)
  const rooms = grantRooms(states, whole)
  const changes = claims.map((claim, i) => {
    const { before } = met[i] as (typeof met)[number]
    const { used, isKnown } = whole[i] as WholeClaim
    const key = { method: claim.method ?? '', unit: claim.limit }
    return {
      ...key,
      spent: used,
      reserved: rooms[i],
      more: used - Number(before?.spent ?? 0),
      told: isKnown,
    }
  })
  await query(
    `insert into bench_allowance (run, method, unit, block, holder, spent, reserved)
     select $1, method, unit, $2, $3, changes.spent, reserved
     from jsonb_to_recordset($4) as changes (method text, unit text, spent bigint, reserved bigint) join bench_limit using (method, unit)
     where run = $1
     on conflict (run, method, unit, block)
     do update set holder = excluded.holder, spent = excluded.spent, reserved = excluded.reserved, renewed = clock_timestamp()`,
    [run, block, holder, JSON.stringify(changes)],
  )
  await query(
    `update bench_limit set spent = bench_limit.spent + more, most = greatest(most, changes.spent),
       known = known or told
     from jsonb_to_recordset($2) as changes (method text, unit text, spent bigint, more bigint, told boolean)
     where run = $1 and bench_limit.method = changes.method and bench_limit.unit = changes.unit`,
    [run, JSON.stringify(changes)],
  )
  return {
    grants: claims.map(({ limit }, i) => {
      const { others, reserved } = states[i] as LimitState
      const scale = scaleOf(limit)
      return { others: others / scale, room: (rooms[i] ?? 0) / scale, isLast: reserved === 0 }
    }),
    elapsedMs: Number(limits[0]?.ms ?? 0),
    left: isHeld ? [] : claims.flatMap((claim, i) => leftText(claim, met[i]?.before, block, mark)),
  }
}

/** Returns a limit as a claim meets it, and what its block had before. A limit that its coordinator does not know holds nobody. */
function meet(limits: LimitRow[], rows: AllowanceRow[], { method = '', limit, isKnown }: Claim) {
  const isIts = (row: Pick<LimitRow, 'method' | 'unit'>) => row.method === method && row.unit === limit
  const row = limits.find(isIts)
  const before = rows.find((one) => one.own && isIts(one))
  const reserved = rows.reduce((sum, one) => (!one.own && isIts(one) ? sum + Number(one.reserved) : sum), 0)
  if (!row) return { before, state: { amount: Number.MAX_SAFE_INTEGER, others: 0, reserved, estimate: 0 } }
  const state: LimitState = {
    amount: Number(row.amount),
    others: Number(row.spent) - Number(before?.spent ?? 0),
    reserved,
    estimate: row.known || isKnown ? Number(row.most) || Number(row.share) : undefined,
  }
  return { before, state }
}

function leftText(
  { limit, used }: Claim,
  before: AllowanceRow | undefined,
  block: number,
  mark: string,
): string[] {
  if (!before || Number(before.reserved) === 0) return []
  const text = (whole: number) => amountText(limit, whole / scaleOf(limit), mark)
  const more = used * scaleOf(limit) - Number(before.spent)
  return [
    `block ${block} was left with ${text(Number(before.reserved))} of a limit in hand; its ledger has ${text(Math.max(0, more))} of that, and the rest is free again`,
  ]
}

/** Dollars are counted in millionths, all else as it is: sums of whole numbers are exact. */
export const scaleOf = (unit: BudgetUnit): number => (unit === 'costUsd' ? 1e6 : 1)

function toWhole({ limit, used, inFlight, need, isKnown }: Claim): WholeClaim {
  const scale = scaleOf(limit)
  // What was never whole, such as a millionth that a number cannot hold, is no further millionth.
  const up = (amount: number) => Math.max(0, Math.ceil(amount * scale - 1e-6))
  return {
    used: Math.round(used * scale),
    inFlight: up(inFlight),
    need: need === 0 ? 0 : Math.max(1, up(need)),
    isKnown,
  }
}
