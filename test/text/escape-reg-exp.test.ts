import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeRegExp } from '../../src/text/escape-reg-exp.ts'

it.each(['', 'i', 'u', 'v'])(
  'an escaped text matches itself and nothing else with the flags "%s"',
  (flags) => {
    const texts = fc.string({ unit: fc.constantFrom(...'\\^$.*+?()[]{}|/-ab\n') })
    fc.assert(
      fc.property(texts, (text) => {
        const whole = new RegExp(`^(?:${escapeRegExp(text)})$`, flags)
        expect(whole.test(text)).toBe(true)
        expect(whole.test(`${text}c`)).toBe(false)
      }),
    )
  },
)
