import { expect, it } from 'vitest'
import { renderStepSummary } from '../../../src/reports/formats/markdown.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const report = comparedReport([...solves('a', 18, 20), ...solves('b', 6, 20)])
const held = [{ text: 'success(b) < 0.8', value: '0.3 for b' }]

it('a step summary shows the failed conditions first, then the first screen', () => {
  const text = renderStepSummary(report, held, 1e6)
  expect(text).toMatch(
    /^- \*\*failed\*\*: success\(b\) \\< 0\.8 \(it is 0\.3 for b\)\n\n\*\*2 methods on 20 tasks/,
  )
  expect(text).toContain('| a | 90.0 [69, 99] |')
  expect(renderStepSummary(report, [], 1e6)).toMatch(/^\*\*2 methods/)
})

it('a step summary holds whole lines within its limit of bytes, and names the place of the rest', () => {
  const whole = renderStepSummary(report, held, 1e6)
  const most = Buffer.byteLength(whole) - 1
  for (const room of [most, 500, 300]) {
    const text = renderStepSummary(report, held, room)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(room)
    const [kept, rest] = text.split('\nThe rest is in ')
    expect(rest).toContain(report.run)
    expect(whole.startsWith(kept as string)).toBe(true)
    expect(kept?.endsWith('\n')).toBe(true)
  }
  expect(renderStepSummary(report, held, 10)).toBe('')
  expect(renderStepSummary(report, held, -5)).toBe('')
})
