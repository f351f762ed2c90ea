import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { conductNotes } from '../../../src/reports/notes/conduct-notes.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { LeftOut } from '../../../src/schema/ledger/record.ts'
import { solves } from '../../analysis/compare/compared.ts'

/** Returns the summary of two methods of eight trials; two trials of the first have these counts. */
function summaryOf(leftOut: LeftOut | undefined) {
  const summary = createSummary({ baseline: null, methods: ['m', 'n'] })
  for (const [i, record] of solves('m', 4, 8).entries())
    summary.add(i < 2 && leftOut ? { ...record, leftOut } : record)
  for (const record of solves('n', 4, 8)) summary.add(record)
  return summary.result()
}

it.each<[LeftOut, string]>([
  [{ refused: 1, notCounted: 0 }, '2 refused paths'],
  [{ refused: 0, notCounted: 2 }, '4 changes of files that may not change'],
  [{ refused: 2, notCounted: 1 }, '4 refused paths and 2 changes of files that may not change'],
])('a note counts what did not count: %o', (leftOut, words) => {
  expect(conductNotes(summaryOf(leftOut))).toEqual([`m: not counted in 2 of 8 trials: ${words}.`])
})

it('text, CSV and JSON hold the counts of each row, and nothing where all changes counted', () => {
  const report = createReport(summaryOf({ refused: 2, notCounted: 1 }), { run: 'r' })
  expect(formats.text.render(report)).toContain('not counted in 2 of 8 trials: 4 refused paths')
  expect(formats.csv.render(report).split('\n')[0]).toMatch(/refused_paths.*,changes_not_counted/)
  expect(JSON.stringify(JSON.parse(formats.json.render(report)))).toContain(
    '"leftOut":{"trials":2,"refused":4,"notCounted":2}',
  )
  const plain = createReport(summaryOf(undefined), { run: 'r' })
  for (const format of ['text', 'markdown', 'csv', 'latex', 'json'] as const)
    expect(formats[format].render(plain)).not.toMatch(/not counted|refused_paths|leftOut/i)
})
