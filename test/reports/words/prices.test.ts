import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { billText } from '../../../src/reports/words/bill-text.ts'
import type { RunPrices } from '../../../src/schema/agent/prices.ts'
import { aRecord } from '../../analysis/records.ts'

const prices: RunPrices = { table: { name: 'list', version: '1.2.3', date: '2026-01-02' } }
const cached = { cached: 70, costUsd: 0.02, listCostUsd: 0.5 }
const reported = { calls: 1, costUsd: 0.03, computedUsd: 0.02 }

const rendered = (format: FormatName, spent: object = { ...cached, reported }) => {
  const builder = createSummary({ baseline: 'b' })
  builder.add(aRecord({ method: 'a', spent }))
  builder.add(aRecord({ method: 'b' }))
  return formats[format].render(createReport(builder.result(), { run: 'results/r1', prices }), {
    definitions: true,
  })
}

describe('a live report', () => {
  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'as %s has the bill, the list price and the source of prices',
    (format) => {
      const text = rendered(format)
      expect(text).toMatch(/0\.0?20?0?/)
      expect(text).toMatch(/0\.500?/)
      expect(text).toMatch(/list price/i)
      expect(text).toContain('list 1.2.3 of 2026-01-02')
      expect(text).toContain('agents report')
      expect(text).toMatch(/\+50\.0/)
    },
  )

  it('as CSV has columns for both prices, the sum that agents reported, and the price table', () => {
    const [head = '', a = ''] = rendered('csv').split('\n')
    const value = (name: string) => a.split(',')[head.split(',').findIndex((one) => one.includes(name))]
    expect(value('cost (USD per trial)')).toBe('0.02')
    // A unit with a comma is quoted, so that these are asked for by their places.
    expect(a).toContain(',0.5,0.5,')
    expect(head).toContain('list_cost_unknown (calls)')
    expect(a).toContain('list 1.2.3 of 2026-01-02')
  })

  it('as JSON has the same as raw numbers', () => {
    const json = JSON.parse(rendered('json'))
    expect(json.prices).toEqual({ name: 'list', version: '1.2.3', date: '2026-01-02', own: false })
    expect(json.methods[0]).toMatchObject({
      cost: { perTrial: { value: 0.02 } },
      listCost: { perTrial: { value: 0.5 } },
      reported,
    })
  })

  it('shows cached tokens if there are any', () => {
    expect(rendered('text')).toContain('cached')
    expect(rendered('text', {}).split('\n')).not.toContainEqual(expect.stringMatching(/ cached /))
  })

  it('counts the calls with an unknown list price', () => {
    expect(rendered('text', { calls: 2, listCostUsd: null, unknownListCost: 2 })).toContain(
      'a: the list price of 2 calls is unknown',
    )
  })
})

it('the bill of a run has its amount at uncached list prices if the two differ', () => {
  const { spent } = aRecord({ spent: { ...cached, reported } })
  expect(billText({ method: spent })).toContain('$0.0200, $0.500 at list prices\n    agents report')
  expect(billText({ method: aRecord().spent })).not.toContain('list prices')
})
