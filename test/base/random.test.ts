import { expect, it } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'

const numbers = (random: () => number) => [random(), random(), random()]

it('the random generator gives fixed numbers, since every simulated run depends on them', () => {
  expect(numbers(seededRandom(''))).toEqual([0.35864685475826263, 0.6138331410475075, 0.8062200273852795])
  expect(numbers(seededRandom('1|arithmetic/product|1|baseline|#0|1'))).toEqual([
    0.7026853819843382, 0.7729396175127476, 0.4922193246893585,
  ])
})
