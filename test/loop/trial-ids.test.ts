import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/canonical.ts'
import { createTrialIds } from '../../src/loop/trial-ids.ts'

it('knows each of a hundred thousand ids again, and no other', () => {
  const ids = createTrialIds()
  const id = (number: number) => sha256(String(number)).slice(0, 24)
  for (let number = 0; number < 100_000; number++) expect(ids.add(id(number))).toBe(true)
  for (let number = 0; number < 100_000; number += 7) expect(ids.add(id(number))).toBe(false)
  expect(ids.add(id(100_000))).toBe(true)
})

it('is a set of whatever texts stand where an id should', () => {
  const hex = fc.string({ unit: fc.constantFrom('0', '1', 'f'), minLength: 22, maxLength: 26 })
  fc.assert(
    fc.property(fc.array(fc.oneof(hex, fc.string(), fc.constant('0'.repeat(24)))), (texts) => {
      const [ids, set] = [createTrialIds(), new Set<string>()]
      for (const text of texts) {
        expect(ids.add(text)).toBe(!set.has(text))
        set.add(text)
      }
    }),
  )
})
