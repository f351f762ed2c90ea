import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/canonical.ts'
import { createTrialIds } from '../../src/loop/trial-ids.ts'

it('knows each of a hundred thousand ids again, and no other', () => {
  const ids = createTrialIds()
  const id = (number: number) => sha256(String(number)).slice(0, 24)
  const numbers = Array.from({ length: 100_000 }, (_, number) => number)
  // One look at them all: a hundred thousand take seconds.
  expect(numbers.filter((number) => !ids.add(id(number)))).toEqual([])
  expect(numbers.filter((number) => number % 7 === 0 && ids.add(id(number)))).toEqual([])
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

it('adds the ids of lines together or none of them, and takes back as many of the last as are wanted', () => {
  const hex = fc.integer({ min: 0, max: 40 }).map((number) => number.toString(16).padStart(24, 'a'))
  const text = fc.oneof(
    { weight: 9, arbitrary: hex },
    { weight: 1, arbitrary: fc.constantFrom('x', 'g'.repeat(24)) },
  )
  const batch = fc.tuple(fc.array(text, { maxLength: 12 }), fc.nat(12))
  fc.assert(
    fc.property(fc.array(batch), (batches) => {
      const [ids, set] = [createTrialIds(), new Set<string>()]
      for (const [texts, back] of batches) {
        const bytes = Buffer.from(texts.map((one) => `"${one}"}\n`).join(''))
        const ends = Int32Array.from([...bytes.keys()].filter((at) => bytes[at] === 0x0a))
        const isNew = texts.every(
          (one, index) =>
            one.length === 24 && one[0] !== 'g' && !set.has(one) && texts.indexOf(one) === index,
        )
        expect(ids.addLines({ bytes, ends, count: texts.length }, 1)).toBe(isNew)
        if (!isNew) continue
        const kept = Math.max(0, texts.length - back)
        ids.takeBack(texts.length - kept)
        for (const one of texts.slice(0, kept)) set.add(one)
      }
      for (let number = 0; number <= 40; number++) {
        const one = number.toString(16).padStart(24, 'a')
        expect(ids.add(one)).toBe(!set.has(one))
      }
    }),
  )
})
