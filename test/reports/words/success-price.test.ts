import { describe, expect, it } from 'vitest'
import { evaluateConditions, parseConditions } from '../../../src/commands/values/fail-if.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'
import { comparedReport } from '../comparison/compared-report.ts'

// The fully known cost per success is $0.10, the known part of all costs gives $0.475.
const dear = { costUsd: 3, calls: 2, unreportedCost: 1 }
const records = [
  ...solves('a', 8, 8),
  aRecord({ method: 'a', task: 's/008', passed: false, spent: dear }),
  ...solves('b', 7, 9, { spent: { costUsd: 0.2 } }),
]
const report = comparedReport(records)
const shown = (format: FormatName) => formats[format].render(report)

describe('a cost per success that is a lower bound', () => {
  it('is marked in text and Markdown, has no limits, and a note says what it counts', () => {
    for (const format of ['text', 'markdown'] as const) {
      const row = shown(format)
        .split('\n')
        .find((line) => /^\W*a .*0\.475/.test(line))
      expect(row).toMatch(/>= \$?0\.475(?! \[)/)
    }
    expect(shown('text').replace(/\s+/g, ' ')).toContain(
      'a: costs of 1 call were not reported, so >= marks a lower bound; ratios to other methods leave those trials out, cost per success uses the known costs of all graded trials.',
    )
  })

  it('is marked in LaTeX, as are tokens and costs', () => {
    const row = shown('latex')
      .split('\n')
      .find((line) => line.includes('475'))
    expect(row).toMatch(/ & \$\\ge 0\.\d+\$ & +\$\\ge 0\.475\$ & +-- /)
  })

  it('is marked in CSV and JSON', () => {
    const [head = '', row = ''] = shown('csv').split('\n')
    const fields = (line: string) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    const cell = (name: string) => fields(row)[fields(head).findIndex((one) => one.startsWith(name))]
    expect(Number(cell('cost_per_success ('))).toBeCloseTo(0.475, 12)
    expect([
      cell('cost_per_success_lower ('),
      cell('cost_per_success_upper ('),
      cell('cost_per_success_kind'),
    ]).toEqual(['', '', 'at-least'])
    const { methods } = JSON.parse(shown('json'))
    expect(methods[0].costPerSuccess).toMatchObject({ kind: 'at-least', lower: null, upper: null })
    expect(methods[1].costPerSuccess.kind).toBe('bounded')
  })

  it('gives the pairs no ratio, with the reason', () => {
    const text = shown('text')
    expect(text).toMatch(/^a than b .*cost unknown$/m)
    expect(text.replace(/\s+/g, ' ')).toContain(
      '"cost unknown": some calls have no known cost, so the true cost may be higher.',
    )
  })

  it('makes no condition certain', () => {
    const held = evaluateConditions(
      parseConditions('*.costPerSuccess>0.5', []),
      report.summary,
      report.comparison?.comparison ?? null,
    )
    expect(held).toEqual([{ text: '*.costPerSuccess>0.5', value: 'not known, but at least 0.475 for a' }])
  })
})
