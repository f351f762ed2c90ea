import { expect, it } from 'vitest'
import { compareMethods } from '../../../src/analysis/compare/compare.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { solves } from '../../analysis/compare/compared.ts'

const score = { name: 'tests', value: 1, reason: '' }
const recordsOf = (oneProcess: boolean) =>
  solves('m', 2, 4).map((record) => ({
    ...record,
    scores: [oneProcess ? { ...score, oneProcess: true as const } : score],
  }))

it.each([
  [true, 4],
  [false, undefined],
])('a report says whether tests ran in the process of the solution: %s', (oneProcess, tasks) => {
  const [summary, data] = [createSummary({ baseline: null }), createComparisonData()]
  for (const record of recordsOf(oneProcess)) {
    summary.add(record)
    data.add(record)
  }
  expect(summary.result().oneProcess).toBe(tasks)
  expect(compareMethods(data).oneProcess).toBe(tasks)
  const report = createReport(summary.result(), { run: 'r' })
  const note = 'The hidden tests of 4 tasks ran in the process of the solution (grading: one-process)'
  for (const format of ['text', 'markdown'] as const)
    expect(formats[format].render(report).replaceAll(/\s+/g, ' ').includes(note)).toBe(oneProcess)
})
