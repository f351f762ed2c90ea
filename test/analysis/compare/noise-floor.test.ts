import { expect, it } from 'vitest'
import { compare, onlyPair, repeat, trials } from './compared.ts'

it('gives how often outcomes flip between two methods, and within each, exactly', () => {
  // A passes 3 of 4 epochs: 6 of 16 pairs of epochs are of the same; 3 of 6 pairs of different epochs flip.
  const a = trials('a', [...repeat('1110', 4), ...repeat('1111', 4)])
  const b = trials('b', [...repeat('1100', 4), ...repeat('0000', 4)])
  const { flips } = onlyPair(compare([...a, ...b]))
  expect(flips?.a).toBeCloseTo((0.5 + 0) / 2, 12)
  expect(flips?.b).toBeCloseTo((4 / 6 + 0) / 2, 12)
  expect(flips?.between).toBeCloseTo((0.5 + 1) / 2, 12)
})

it('counts missing trials as none, and needs two epochs of some task', () => {
  const single = compare([...trials('a', repeat('1', 8)), ...trials('b', repeat('0', 8))])
  expect(onlyPair(single)).not.toHaveProperty('flips')
  const partly = compare([...trials('a', ['10', ...repeat('1-', 7)]), ...trials('b', repeat('0-', 8))])
  expect(onlyPair(partly).flips).toEqual({ between: (0.5 + 7) / 8, a: 1, b: null })
})

it('takes the same method under another label for a second trial where each has one epoch', () => {
  const records = [
    ...trials('a', ['1', '1', '1', '0', '0', '0', '1', '1']),
    ...trials('again', ['1', '1', '1', '0', '0', '1', '1', '0']),
    ...trials('other', repeat('0', 8)),
  ]
  const of = (method: string) => ({ names: [], works: [], programs: [], method })
  const { pairs } = compare(records, { tools: { a: of('m'), again: of('m'), other: of('o') } })
  const flips = pairs.map(({ a, b, flips }) => [a, b, flips?.between, flips?.a, flips?.b])
  expect(flips).toEqual([
    ['a', 'again', 0.25, 0.25, 0.25],
    ['a', 'other', 0.625, 0.25, null],
    ['again', 'other', 0.625, 0.25, null],
  ])
})
