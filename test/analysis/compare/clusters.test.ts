import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { aRecord } from '../records.ts'
import { compare } from './compared.ts'

/** Equally good methods on tasks of one trial, each entered under several names. */
function entered(copies: number) {
  const random = seededRandom('entered')
  const clusters: Record<string, string> = {}
  const records = Array.from({ length: 12 }).flatMap((_, task) =>
    ['a', 'b'].flatMap((method) => {
      const [passed, costUsd] = [random() < 0.6, 0.02 * (1 + random())]
      return Array.from({ length: copies }, (_, copy) => {
        const name = `s/${String(task).padStart(2, '0')}-${copy}`
        clusters[name] = String(task)
        return aRecord({ method, task: name, passed, spent: { costUsd } })
      })
    }),
  )
  return compare(records, { clusters })
}

it('a task that is entered five times as one cluster counts once on the frontier and for prices', () => {
  const [once, fiveTimes] = [entered(1), entered(5)]
  expect(fiveTimes.clusters).toBe(12)
  const shares = ({ frontiers }: typeof once) =>
    frontiers.costUsd.points.map(({ membership, onFrontier }) => ({ membership, onFrontier }))
  expect(shares(fiveTimes)).toEqual(shares(once))
  expect(
    shares(once).some(({ membership }) => (membership as number) > 0.02 && (membership as number) < 0.98),
  ).toBe(true)
  expect(fiveTimes.prices[0]?.p).toBeCloseTo(once.prices[0]?.p as number, 9)
})

it('a few dear trials of one method do not make it dearer', () => {
  // Three of 16 tasks cost a hundred times as much with one of two methods: by chance it is the same one in a quarter of runs.
  const records = ['a', 'b'].flatMap((method) =>
    Array.from({ length: 16 }, (_, task) =>
      aRecord({
        method,
        task: `s/${task}`,
        passed: task % 4 !== (method === 'a' ? 0 : 1),
        spent: { costUsd: method === 'a' && task < 3 ? 2 + task / 10 : 0.02 + ((task * 7) % 5) / 1000 },
      }),
    ),
  )
  const { prices, pairs, claims } = compare(records, { baseline: 'b' })
  expect(pairs[0]?.costPerSuccess.p).toBeLessThan(0.05)
  expect(prices[0]?.p).toBeGreaterThan(0.1)
  expect(claims).toEqual([])
})
