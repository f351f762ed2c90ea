import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import {
  addAll,
  addStep,
  type Closure,
  hasStep,
  indexesWithout,
  sizeOf,
} from '../../../src/loop/graph/schedule.ts'

const places = Array.from({ length: 200 }, (_, index) => index)

/** A set of about half of the places, as a `Set` and as bits. */
function randomSet(seed: string): { set: Set<number>; closure: Closure } {
  const random = seededRandom(seed)
  const set = new Set(places.filter(() => random() < 0.5))
  const closure: Closure = []
  for (const index of set) addStep(closure, { index, closure: [] })
  return { set, closure }
}

it('holds the same steps as a set of numbers', () => {
  for (let seed = 0; seed < 20; seed++) {
    const [one, other] = [randomSet(`one ${seed}`), randomSet(`other ${seed}`)]
    expect(places.filter((index) => hasStep(one.closure, index))).toEqual([...one.set])
    expect(sizeOf(one.closure)).toBe(one.set.size)
    expect(indexesWithout(one.closure, other.closure)).toEqual(
      [...one.set].filter((index) => !other.set.has(index)),
    )
    addAll(one.closure, other.closure)
    expect(sizeOf(one.closure)).toBe(new Set([...one.set, ...other.set]).size)
  }
})

it('adds a step together with all that it depends on', () => {
  const closure: Closure = []
  addStep(closure, { index: 70, closure: [0b101] })
  expect(indexesWithout(closure, [])).toEqual([0, 2, 70])
  expect(sizeOf(closure)).toBe(3)
})
