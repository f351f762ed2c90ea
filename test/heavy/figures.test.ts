import { describe, expect, it } from 'vitest'
import { figures } from '../../src/reports/figures/registry.ts'
import { styleOf } from '../../src/reports/figures/series-style.ts'
import { narrowWidth, successAgainstCost } from '../../src/reports/figures/success-against.ts'
import { countTick, ticksAcross, usdTick } from '../../src/reports/figures/ticks.ts'
import { solves } from '../analysis/compare/compared.ts'
import { anAsk, figuresOf } from '../reports/figures/figure-samples.ts'
import { crampedTexts, textBoxes } from '../reports/figures/text-boxes.ts'

/** What the n-th method solved of twelve tasks, and spent on each. */
type Shape = (index: number) => { solved: number; input: number; costUsd: number }

const same: Shape = () => ({ solved: 6, input: 100, costUsd: 0.1 })
const powers: Shape = (i) => ({ solved: 12 - i, input: 10 ** (i % 8), costUsd: 1e-6 * 10 ** (i % 8) })
const large: Shape = (i) => ({ solved: i, input: 1_234_567 * (i + 1), costUsd: 1234.5 * (i + 1) })

const short = (index: number) => `m${index}`
const long = (index: number) => `method-with-a-long-name-${index}[maxInner=${index}]`

function sample(count: number, shape: Shape, nameOf: (index: number) => string) {
  const records = Array.from({ length: count }, (_, index) => {
    const { solved, ...spent } = shape(index)
    return solves(nameOf(index), Math.min(12, Math.max(0, solved)), 12, { spent })
  }).flat()
  const roles = ['writer', 'auditor', 'a-role-with-a-rather-long-name']
  const steps = records.flatMap(({ trial, spent: { input } }) =>
    roles.map((role, at) => anAsk({ trial, key: `#${at}`, at, role, tokens: { input: input * (at + 1) } })),
  )
  return figuresOf(records, steps)
}

describe('figures', () => {
  it.each([
    ['24 methods, costs from 0.000001 to 10 dollars', 24, powers, long],
    ['14 methods of millions of tokens and thousands of dollars', 14, large, long],
    ['8 methods at one place', 8, same, short],
  ])('have no labels that overlap or leave the figure: %s', (_, count, shape, nameOf) => {
    const data = sample(count, shape, nameOf)
    const narrow = successAgainstCost(data, narrowWidth)
    expect(textBoxes(narrow).length).toBeGreaterThan(count)
    expect(crampedTexts(narrow)).toEqual([])
    for (const [name, figure] of Object.entries(figures)) expect(crampedTexts(figure(data)), name).toEqual([])
  })

  it('give a dozen methods a dozen colours, and name those that stand at one place', () => {
    expect(new Set(Array.from({ length: 12 }, (_, place) => styleOf(place).colour)).size).toBe(12)
    const svg = successAgainstCost(sample(3, same, short))
    expect(svg).toContain('At one place: m0, m1, m2.')
    const widest = sample(3, same, short).labels.map((_, place) => styleOf(place).colour)
    for (const colour of widest) expect(svg).toContain(`fill="${colour}"`)
    expect(successAgainstCost(sample(2, powers, short))).not.toContain('At one place')
  })
})

it.each([
  ['costs over nine powers of ten', { domain: [1e-6, 1000] as const, log: true, format: usdTick }],
  ['counts in a narrow range', { domain: [100_000, 100_003] as const, format: countTick }],
  ['dollars of six digits', { domain: [0, 900_000] as const, format: usdTick }],
])('an axis has as many ticks as have room: %s', (_, axis) => {
  const counts = [60, 120, 240, 480].map((pixels) => ticksAcross({ ...axis, pixels, beyond: 40 }).length)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts.at(-1)).toBeGreaterThan(2)
})
