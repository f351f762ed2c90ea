import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../records.ts'

/** Records of one method by task and epoch; null is a trial that ended in error. */
const trials = (method: string, tasks: readonly (readonly (boolean | null)[])[]) =>
  tasks.flatMap((epochs, task) =>
    epochs.map((passed, epoch) =>
      aRecord({
        method,
        task: `s/${task}`,
        epoch: epoch + 1,
        ...(passed === null ? { status: 'error' } : { passed }),
      }),
    ),
  )

const summaryOf = (...records: readonly TrialRecord[]) => {
  const summary = createSummary({ baseline: 'b' })
  for (const record of records) summary.add(record)
  return summary.result()
}
const notesOf = (...records: readonly TrialRecord[]) =>
  formats.text.render(createReport(summaryOf(...records), { run: 'r' })).replace(/\s+/g, ' ')
const boundsOf = (...records: readonly TrialRecord[]) =>
  summaryOf(...records).methods.find(({ method }) => method === 'a')?.againstBaseline?.success.bounds

describe('missing trials', () => {
  it('bound the difference of success by their worst and their best case', () => {
    // Worked out by hand and with R: -1/9 and 4/9.
    const a = trials('a', [
      [true, null, true],
      [false, true, true],
      [null, null, null],
    ])
    const b = trials('b', [
      [false, false, true],
      [null, true, false],
      [true, true, false],
    ])
    expect(boundsOf(...a, ...b)).toEqual({ low: expect.closeTo(-100 / 9), high: expect.closeTo(400 / 9) })
  })

  it('have no bounds if no trial is missing', () => {
    expect(boundsOf(...trials('a', [[true]]), ...trials('b', [[false]]))).toBeNull()
  })

  it('cause a warning above 5 percent, and if their share differs between methods', () => {
    const clean = Array.from({ length: 20 }, () => [true])
    const one = [...clean.slice(1), [null]]
    const two = [...clean.slice(2), [null], [null]]
    const warned = /Warning: more than 5% of the trials of a method are missing/
    const uneven = /Warning: (?:.*and )?the share of missing trials differs between methods/
    const notes = (a: (boolean | null)[][], b: (boolean | null)[][]) =>
      notesOf(...trials('a', a), ...trials('b', b))
    expect(notes(clean, clean)).not.toMatch(/Warning/)
    expect(notes(one, one)).not.toMatch(/Warning/)
    expect(notes(one, clean)).toMatch(uneven)
    expect(notes(one, clean)).not.toMatch(warned)
    expect(notes(two, two)).toMatch(warned)
    expect(notes(two, two)).not.toMatch(uneven)
    expect(notes(two, clean)).toMatch(/a 10\.0%, b 0\.0%/)
  })

  it('make the sign of a difference unknown if they could reverse it', () => {
    const a = trials('a', [[true], [true], [null]])
    const b = trials('b', [[false], [true], [false]])
    expect(notesOf(...a, ...b)).toMatch(/from \+33\.3 to \+66\.7 points\./)
    expect(notesOf(...a, ...trials('b', [[false], [true], [null]]))).toMatch(
      /from 0\.0 to \+66\.7 points, so even its sign is unknown/,
    )
  })
})

describe('injected faults', () => {
  const faulty = (method: string) => aRecord({ method, faults: 'timeout=0.05' })

  it('are shown in the title, every row, a note and every format', () => {
    const report = createReport(summaryOf(faulty('a'), faulty('b')), { run: 'r' })
    const text = formats.text.render(report, { tasks: true })
    expect(text).toMatch(/live; faults injected; 2 trials/)
    expect(text.match(/^(a|b|s\/1) .*injected/gm)?.length).toBeGreaterThanOrEqual(3)
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Faults were injected on purpose (timeout=0.05): these numbers describe the faults and the methods.',
    )
    expect(formats.csv.render(report)).toContain('timeout=0.05')
    expect(formats.json.render(report)).toContain('"faults": "timeout=0.05"')
    expect(formats.markdown.render(report)).toContain('injected')
    expect(formats.text.render(createReport(summaryOf(aRecord({})), { run: 'r' }))).not.toContain('injected')
  })

  it('are never mixed with records without them, or with others', () => {
    expect(() => summaryOf(faulty('a'), aRecord({ method: 'b' }))).toThrow(/no injected faults/)
    expect(() => summaryOf(faulty('a'), aRecord({ method: 'b', faults: 'slow=1' }))).toThrow(/slow=1/)
  })
})
