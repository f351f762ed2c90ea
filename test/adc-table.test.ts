import { beforeAll, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { measureWorkload } from '../scripts/adc-table.mjs'

let measured: Record<'sequential' | 'integrated', { tokens: number; costUsd: number }[]>

beforeAll(async () => {
  measured = await measureWorkload()
})

it("the table adds up to the document's own items for success in rounds 1, 2 and 3, except for summaries, which the document does not price", () => {
  const items = [2.71, 5.71, 8.71]
  measured.sequential.forEach(({ tokens, costUsd }, i) => {
    const above = tokens - (items[i] as number)
    expect(above).toBeGreaterThanOrEqual(0)
    expect(above).toBeLessThan(0.05 * (i + 1))
    expect(costUsd).toBeCloseTo(tokens * 0.66, 6)
  })
})

it('the table stays below the document, which counts a refiner that does not run', () => {
  const stated = [3.2, 6.2, 9.2]
  measured.sequential.forEach(({ tokens }, i) => {
    expect((stated[i] as number) - tokens).toBeGreaterThan(0.3)
    expect((stated[i] as number) - tokens).toBeLessThan(0.5)
  })
})

it('the bill of the integrated method grows with what it accumulates: each round costs more than the one before', () => {
  const rounds = measured.integrated.map(
    ({ tokens }, i) => tokens - (measured.integrated[i - 1]?.tokens ?? 0),
  )
  expect(rounds[1]).toBeGreaterThan(1.5 * (rounds[0] as number))
  expect(rounds[2]).toBeGreaterThan(1.3 * (rounds[1] as number))
  const at = (method: { tokens: number }[]) => 0.7 * (method[1]?.tokens ?? 0) + 0.3 * (method[2]?.tokens ?? 0)
  expect(at(measured.integrated)).toBeCloseTo(15.1, 0)
  expect(100 * (1 - at(measured.sequential) / at(measured.integrated))).toBeGreaterThan(50)
})
