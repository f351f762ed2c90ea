import fc from 'fast-check'
import { expect, it } from 'vitest'
import { grantRooms, type LimitState, type WholeClaim } from '../../src/queue/claim-together.ts'

const limit = (state: Partial<LimitState> = {}): LimitState => ({
  ...{ amount: 100, others: 0, reserved: 0, estimate: 30 },
  ...state,
})
const claim = (one: Partial<WholeClaim> = {}): WholeClaim => ({
  used: 0,
  inFlight: 0,
  need: 1,
  isKnown: true,
  ...one,
})

it('a worker gets the estimate of its block, or what is free of it', () => {
  expect(grantRooms([limit()], [claim()])).toEqual([30])
  expect(grantRooms([limit({ others: 80 })], [claim()])).toEqual([20])
  // What it has used already is no longer before it; at least one call is.
  expect(grantRooms([limit()], [claim({ used: 12 })])).toEqual([18])
  expect(grantRooms([limit()], [claim({ used: 40, inFlight: 8, need: 3 })])).toEqual([11])
})

it('a worker that waits keeps what its calls in flight need and gives back the rest', () => {
  expect(grantRooms([limit({ others: 60, reserved: 35 })], [claim({ inFlight: 2, need: 4 })])).toEqual([2])
  expect(grantRooms([limit()], [claim({ used: 12, need: 0 })])).toEqual([0])
})

it('as long as nobody knows what a call uses, one worker has all that is free, and tries', () => {
  const unknown = limit({ estimate: undefined })
  expect(grantRooms([unknown], [claim({ isKnown: false })])).toEqual([100])
  expect(grantRooms([{ ...unknown, reserved: 100 }], [claim({ isKnown: false })])).toEqual([0])
  // Later another one begins with what a block was seen to use.
  expect(grantRooms([limit({ others: 60 })], [claim({ isKnown: false })])).toEqual([30])
  expect(grantRooms([limit({ others: 60, reserved: 15 })], [claim({ isKnown: false })])).toEqual([0])
})

it('a call that needs room under two limits gets both or none', () => {
  const [run, method] = [limit(), limit({ amount: 10, others: 4, reserved: 5 })]
  expect(grantRooms([run, method], [claim({ need: 2 }), claim({ need: 2 })])).toEqual([0, 0])
  expect(grantRooms([run, { ...method, reserved: 2 }], [claim({ need: 2 }), claim({ need: 2 })])).toEqual([
    30, 4,
  ])
})

it('the last rest goes to a worker only if nobody else has any, since else more may come back', () => {
  const rest = limit({ others: 95 })
  expect(grantRooms([rest], [claim({ need: 9 })])).toEqual([5])
  expect(grantRooms([{ ...rest, others: 90, reserved: 5 }], [claim({ need: 9 })])).toEqual([0])
  expect(grantRooms([limit({ others: 100 })], [claim()])).toEqual([0])
})

const deeds = fc.record({
  worker: fc.nat({ max: 3 }),
  deed: fc.constantFrom('claim', 'claim', 'use', 'use', 'use', 'give back', 'die', 'lease'),
  amount: fc.integer({ min: 1, max: 20 }),
})

it('whatever four workers claim, use, give back and leave behind, at most what the dead had in hand is spent over a limit', () => {
  fc.assert(
    fc.property(fc.array(deeds, { maxLength: 120 }), fc.integer({ min: 1, max: 200 }), (all, amount) => {
      // One worker a block: what its ledger holds, what it has told, and what is reserved for it.
      const blocks = Array.from({ length: 4 }, () => ({ used: 0, told: 0, reserved: 0, expired: false }))
      let left = 0
      for (const { worker, deed, amount: size } of all) {
        const own = blocks[worker] as (typeof blocks)[number]
        const others = blocks.filter((one) => one !== own)
        const sum = (of: (one: typeof own) => number) => others.reduce((total, one) => total + of(one), 0)
        const room = own.told + own.reserved - own.used
        if (deed === 'use') own.used += Math.min(size, room)
        // Another worker takes the block again, and finds its ledger.
        if (deed === 'die' && room > 0) left += room
        if (deed === 'lease' && own.reserved > 0 && !own.expired) {
          own.expired = true
          // What it has used and not told is unknown to the others, too.
          left += own.reserved
        }
        if (deed === 'claim' || deed === 'give back' || deed === 'die') {
          const need = deed === 'claim' ? size : 0
          const state = {
            ...{ amount, others: sum(({ told }) => told), estimate: 12 },
            reserved: sum(({ reserved, expired }) => (expired ? 0 : reserved)),
          }
          const [granted = 0] = grantRooms([state], [{ used: own.used, inFlight: 0, need, isKnown: true }])
          Object.assign(own, { told: own.used, reserved: granted, expired: false })
          expect(Number.isInteger(granted)).toBe(true)
        }
      }
      const spent = blocks.reduce((total, { used }) => total + used, 0)
      expect(spent).toBeLessThanOrEqual(amount + left)
      if (left === 0)
        expect(
          spent + blocks.reduce((total, one) => total + one.told + one.reserved - one.used, 0),
        ).toBeLessThanOrEqual(amount)
    }),
  )
})

it('workers that wait for each other’s rest do not wait for ever: what is left is used', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      (hands, need) => {
        const blocks = hands.map((reserved) => ({ used: 0, reserved }))
        const amount = hands.reduce((sum, hand) => sum + hand, 0)
        // Each call needs the same, and each worker asks again and again.
        for (let round = 0; round < 400; round++) {
          const own = blocks[round % 4] as (typeof blocks)[number]
          const others = blocks.filter((one) => one !== own)
          const sum = (of: (one: typeof own) => number) => others.reduce((total, one) => total + of(one), 0)
          if (own.reserved < need) {
            const state = limit({
              amount,
              others: sum(({ used }) => used),
              reserved: sum(({ reserved }) => reserved),
              estimate: need,
            })
            own.reserved = grantRooms([state], [claim({ used: own.used, need })])[0] ?? 0
          }
          const use = Math.min(own.reserved, need)
          Object.assign(own, { used: own.used + use, reserved: own.reserved - use })
        }
        expect(blocks.reduce((sum, { used }) => sum + used, 0)).toBe(amount)
      },
    ),
  )
})
