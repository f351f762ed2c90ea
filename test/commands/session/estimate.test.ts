import { describe, expect, it } from 'vitest'
import { estimateOf, type MethodEstimate } from '../../../src/commands/session/estimate.ts'
import { estimateText } from '../../../src/commands/session/estimate-text.ts'
import { tableOf } from '../../helpers/house/tables.ts'

type Call = [tokens: number | null, costUsd: number | null]

const shown = (methods: MethodEstimate[], width = 100) =>
  estimateText({ methods, source: 'R', prices: [], parallel: 2, simulated: false }, width)

/** Estimates eight trials of a method from trials with these calls. */
function estimated(...trials: Call[][]) {
  const used = trials.map((calls, place) => {
    const known = (field: 0 | 1) => calls.flatMap((call) => call[field] ?? [])
    const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
    const without = { tokens: calls.length - known(0).length, costUsd: calls.length - known(1).length }
    return [
      `t${place}`,
      { durationMs: 3000, calls: calls.length, tokens: sum(known(0)), costUsd: sum(known(1)), without },
    ] as const
  })
  const lacking = trials.flat().filter((call) => call.includes(null)).length
  return estimateOf({ label: 'm', agents: {}, trials: new Map(used), lacking, hasOtherTools: false }, 8)
}

describe('an estimate from trials with unknown use', () => {
  it('predicts a sum from the trials in which it is wholly known', () => {
    const found = estimated(
      [[100, 1]],
      [
        [100, 1],
        [null, null],
      ],
      [[null, null]],
      [[300, 3]],
    )
    expect(found).toMatchObject({ seen: 4, calls: { middle: 10 }, lacking: 2, lackingTokens: 2 })
    expect(found).toMatchObject({ tokens: { middle: 1600 }, costUsd: { middle: 16 }, leastUsd: 10 })
    expect(shown([found])).toContain('total: unknown, at least $10')
  })

  it('keeps known tokens where only the cost is unknown', () => {
    const found = estimated([[100, null]], [[300, null]])
    expect(found).toMatchObject({ tokens: { middle: 1600 }, costUsd: null, lackingTokens: 0, leastUsd: 0 })
  })

  it.each<[string, Call[][]]>(tableOf(import.meta.url, 'saysTokens'))(
    'says that tokens and dollars are unknown if %s',
    (_, trials) => {
      const found = estimated(...trials)
      expect(found).toMatchObject({ tokens: null, costUsd: null })
      expect(shown([found])).toMatch(
        /m +8 +[\d.]+ +unknown +unknown +12\.0 s\n[\s\S]*m: \d calls? without a known price or tokens not counted/,
      )
    },
  )

  it('knows that trials without any call use nothing', () => {
    expect(estimated([], [])).toMatchObject({ tokens: { middle: 0 }, costUsd: { middle: 0 } })
  })

  it.each([40, 60, 80, 120])('has no line over %i columns', (width) => {
    const method = 'self-consistency[match=sequential:tokens]'
    const text = shown([{ ...estimated([[123_456, 1.5]], [[300_000, 30]]), method }], width)
    expect(text).toContain('total: about $126')
    expect(text).toMatch(/time: about 12\.0 s with 2 trials in\s+parallel/)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
  })
})
