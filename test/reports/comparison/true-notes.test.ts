import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { repeat, trials } from '../../analysis/compare/compared.ts'
import { comparedReport as report } from './compared-report.ts'
import { definitions } from './definitions.ts'
import { type Cases, clear, noisy, three } from './samples.ts'
import { tableNotes } from './table-notes.ts'
import { verdictNotes } from './verdict-notes.ts'

/** The tables and all notes of a comparison, one note a line. */
const shown = (made: Report) =>
  formats.text.render(made, { part: 'comparison', definitions: true, width: 9999 })

const others: Cases = {
  'comparison-notes': [
    [
      /- The pair was chosen after the runs: its p is of one test/,
      () => report(clear, {}, { stated: 'afterwards' }),
      () => report(clear),
    ],
    [/- Do the methods differ at all\? Cochran's Q on 20 tasks/, () => report(three), () => report(clear)],
    [
      /- Do the methods differ at all\? Friedman's test on 10 tasks/,
      () => report([...noisy, ...trials('c', repeat('1111', 10))]),
      () => report(noisy),
    ],
  ],
  'one-process': [
    [
      /- The hidden tests of 20 tasks ran in the process of the solution/,
      () =>
        report(
          clear.map((record) => ({
            ...record,
            scores: [{ name: 'tests', value: 1, reason: '', oneProcess: true as const }],
          })),
        ),
      () => report(clear),
    ],
  ],
}

const tables = [verdictNotes, tableNotes, definitions, others]
const cases = tables.flatMap((table) =>
  Object.entries(table).flatMap(([file, own]) => own.map((one) => [file, ...one] as const)),
)

describe('a note of a comparison', () => {
  it.each(cases)('of %s is there where it is true, and only there: %s', (_, note, holds, absent) => {
    expect(shown(holds())).toMatch(note)
    expect(shown(absent())).not.toMatch(note)
  })

  it('has a case in this table, whichever file it comes from', () => {
    const files = readdirSync(join(packageRoot(), 'src/reports/comparison'))
      .map((name) => name.replace('.ts', ''))
      .filter((name) => name.endsWith('-notes') || name === 'definitions')
    const tried = new Set(cases.map(([file]) => file))
    expect(files.filter((file) => !tried.has(file))).toEqual([])
  })
})
