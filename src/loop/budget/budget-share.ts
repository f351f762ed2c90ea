import type { RequestUse } from '../../agents/agent.ts'
import type { LimitUse } from '../../schema/limits.ts'
import type { CallMemory, Reservations } from './reservations.ts'
import type { Bell, Scope } from './scopes.ts'
import { roundedSum } from './spending.ts'

/** What a session says of one limit that others share with it. */
export interface Claim extends Pick<LimitUse, 'limit'> {
  /** The label of the method whose limit it is; undefined: of the run. */
  method?: string | undefined
  /** What its folder has used, earlier sessions included. */
  used: number
  /** What its calls in flight are expected to use. All else that it had and did not use it gives back with a claim. */
  inFlight: number
  /** The least with which one more call may begin; 0: none waits. */
  need: number
  /** Whether a call has ended here, so that `need` is more than a guess. */
  isKnown: boolean
}

/** The answer to a claim. */
export interface Grant {
  /** What all other sessions have used. */
  others: number
  /** How much this session may use from now on, calls in flight included. */
  room: number
  /** Nobody else has any, so that a call may begin also where it may need more than there is. */
  isLast: boolean
}

/** The limits of a run on which several sessions work at once, each on a folder of its own, as one of them sees them. */
export interface BudgetShare {
  /** What calls used, over all folders on which this process has worked. */
  memory: CallMemory
  /** How long the whole run has lasted, once a claim was answered; ms. */
  elapsedMs(): number
  /**
   * Answers all claims of a session together: each that needs room gets it, or none does. `assertHeld` throws if the session has its
   * folder no longer; then so does this.
   */
  claim(claims: readonly Claim[], assertHeld: () => void): Promise<readonly Grant[]>
}

/** A share as a session has it. */
export interface OwnShare {
  share: BudgetShare
  /** Throws if another session has taken the folder over. */
  assertHeld(): void
  /** Gets what the share throws: no limit can hold then. */
  onFailure(error: unknown): void
}

/** How soon a session asks again for what others had; ms. */
const pollMs = 500

const units = ['costUsd', 'tokens', 'calls', 'timeMs'] as const
type Unit = (typeof units)[number]

interface Claims {
  /** An answer is on its way, before which no call may begin. */
  isOpen(): boolean
  /** Asks for room for a call of a method, or for a request inside of one. The bell rings with each answer, and when it may ask again. */
  want(method: string, request?: RequestUse): void
  /** Says what is used, and gives back all that no call in flight needs. Rejects with what the share throws. */
  settle(): Promise<void>
}

/** Lets the scopes of a session hold what its share of the limits allows. */
export function openClaims(
  scopes: readonly Scope[],
  { share, assertHeld, onFailure }: OwnShare,
  reserved: Reservations,
  bell: Bell,
): Claims {
  const shared = scopes.flatMap(openParts)
  const wanted = new Set<string>()
  let open: Promise<boolean> | undefined
  let isResting = false

  /** Claims, one after another, since each is about all that the session has. Returns whether there is room for the call. */
  const claim = async (needOf: (part: Part) => number): Promise<boolean> => {
    const claims = shared.map((part) => claimFor(part, reserved, needOf(part)))
    try {
      const grants = await share.claim(claims, assertHeld)
      const rooms = shared.map((part, i) => take(part, claims[i] as Claim, grants[i] as Grant))
      return rooms.every(Boolean)
    } finally {
      open = undefined
      isResting = true
      bell.ring()
      // The call for which there is room begins before the next claim, which would give that room back.
      setImmediate(() => {
        isResting = false
        bell.ring()
      })
    }
  }
  return {
    isOpen: () => open !== undefined,
    want(method, request) {
      const concerned = shared.filter(({ scope: { name } }) => [undefined, method].includes(name.method))
      // As long as nobody knows what a call uses, the next one waits for the first of this session.
      const isUnknown = ({ scope, unit }: Part) =>
        isBilled(unit) &&
        reserved.average(unit, method) === undefined &&
        reserved.inFlight(scope.name.method) > 0
      if (open || isResting || wanted.has(method) || (!request && concerned.some(isUnknown))) return
      wanted.add(method)
      const needOf = ({ unit }: Part) =>
        isBilled(unit) ? Math.max(reserved.average(unit, method) ?? 0, request?.[unit] ?? 0, least) : 1
      open = claim((part) => (concerned.includes(part) ? needOf(part) : 0))
      const askAgain = () => {
        wanted.delete(method)
        bell.ring()
      }
      open.then((hasRoom) => (hasRoom ? askAgain() : void setTimeout(askAgain, pollMs)), onFailure)
    },
    async settle() {
      while (open) await open.catch(() => {})
      open = claim(() => 0)
      await open
    },
  }
}

/** One limit, and what other sessions have used of it. */
interface Part {
  scope: Scope
  unit: Unit
  others: number
}

/** The least amount that counts: a millionth of a dollar. */
const least = 1e-6

const isBilled = (unit: Unit): unit is 'costUsd' | 'tokens' => unit === 'costUsd' || unit === 'tokens'

/** Returns the limits of a scope that are shared. For how long the run lasts, all look at one clock. */
function openParts(scope: Scope): Part[] {
  scope.part = {}
  return units
    .filter(
      (unit) => scope.limits[unit] !== undefined && (unit !== 'timeMs' || scope.name.method !== undefined),
    )
    .map((unit) => ({ scope, unit, others: 0 }))
}

function claimFor({ scope, unit, others }: Part, reserved: Reservations, need: number): Claim {
  const used = roundedSum(scope.spent[unit] - others)
  const inFlight = isBilled(unit) ? Math.max(expectedOf(scope, unit, reserved), scope.open[unit]) : 0
  const isKnown = !isBilled(unit) || reserved.average(unit, '') !== undefined
  return { method: scope.name.method, limit: unit, used, inFlight, need, isKnown }
}

/** Returns what calls in flight are expected to use: as long as nobody knows, all that the scope may. */
function expectedOf(
  { name, spent, part }: Scope,
  unit: 'costUsd' | 'tokens',
  reserved: Reservations,
): number {
  const isUnknown = reserved.average(unit, '') === undefined && reserved.inFlight(name.method) > 0
  if (isUnknown) return Math.max(0, roundedSum((part?.[unit]?.most ?? 0) - spent[unit]))
  return reserved.expected(unit, undefined, name.method) ?? 0
}

/** Notes a grant in the scope. Returns whether it has the room that was needed. */
function take(part: Part, { used, inFlight, need }: Claim, { others, room, isLast }: Grant): boolean {
  const { scope, unit } = part
  scope.spent[unit] = roundedSum(scope.spent[unit] + others - part.others)
  part.others = others
  if (scope.part) scope.part[unit] = { most: roundedSum(others + used + room), isLast }
  return room >= inFlight + need || (isLast && room > 0)
}
