import { expect, it } from 'vitest'
import { formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from './compared-report.ts'

const dear = { spent: { input: 200, costUsd: 0.2 } }
const records = [...solves('a', 18, 20), ...solves('b', 6, 20, dear), ...solves('c', 10, 20, dear)]
const shown = (of: Parameters<typeof comparedReport>[0], format: 'text' | 'json') =>
  formats[format].render(comparedReport(of), { part: 'comparison', definitions: true })

it('a live comparison has a table of other procedures with its definitions, in text and as numbers', () => {
  const text = shown(records, 'text')
  expect(text).toContain('By other procedures')
  expect(text).toMatch(
    /^a than b +\+60\.0 \[\+40\.0, \+80\.2\] +\+60\.0 \[\+40\.0, \+80\.0\] +\+50\.0 \[\+50\.0, \+100\.0\] +< 0\.001 +0\.60$/m,
  )
  expect(text.replace(/\s+/g, ' ')).toMatch(
    /Cochran's Q on 20 tasks that all have: \d+\.\d\d with 2 degrees of freedom, p/,
  )
  expect(formats.text.render(comparedReport(records), { part: 'comparison' })).not.toContain(
    'By other procedures',
  )
  const { comparison } = JSON.parse(shown(records, 'json'))
  expect(comparison.omnibus).toMatchObject({ test: 'cochran-q', df: 2 })
  expect(comparison.methods[0].sensitivity.jeffreys).toMatchObject({ estimate: 0.9 })
  expect(comparison.methods[0].sensitivity.overTrials.mean).toBeCloseTo(0.9, 12)
  expect(comparison.pairs[0].sensitivity.spent.costUsd.logRatio.ratio).toBeCloseTo(0.5, 12)
  expect(comparison.pairs[0].sensitivity.spent.costUsd.bootstrap).toEqual({ lower: null, upper: null, se: 0 })
})

it('a simulated comparison has no table of other procedures', () => {
  const simulated = records.map((record) => ({ ...record, simulated: true }))
  expect(shown(simulated, 'text')).not.toContain('other procedures')
  expect(shown(simulated, 'json')).not.toMatch(/sensitivity|omnibus/)
})
