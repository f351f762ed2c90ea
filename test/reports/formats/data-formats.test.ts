import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { aRecord } from '../../analysis/records.ts'
import { report, simulated } from '../../helpers/runs/reports.ts'
import { pageOf } from '../html/page-sample.ts'

describe('CSV', () => {
  it('has raw numbers, with simulated, profile and units', () => {
    const [head = [], ...rows] = parse(formats.csv.render(simulated))
    const value = (row: number, heading: string) => rows[row]?.[head.indexOf(heading)]
    expect(rows).toHaveLength(2)
    expect(value(1, 'method')).toBe('sequential')
    expect(value(1, 'simulated')).toBe('true')
    expect(value(1, 'profile')).toBe('typical')
    expect(Number(value(1, 'success (share)'))).toBe(2 / 3)
    expect(Number(value(1, 'tokens (tokens per trial)'))).toBe(5000)
    expect(Number(value(1, 'tokens_saved (percent)'))).toBeCloseTo(100 * (1 - 5000 / 2200), 10)
    expect(Number(value(1, 'cost_saved (percent)'))).toBeCloseTo(-150, 10)
    expect(Number(value(1, 'success_difference (points)'))).toBeCloseTo(100 / 3, 10)
    expect(Number(value(1, 'cost_total (USD)'))).toBeCloseTo(0.152, 12)
    expect(value(0, 'tokens_saved (percent)')).toBe('')
    expect(value(1, 'error (trials)')).toBe('1')
  })

  it('holds labels with commas and quotes, and disarms formulas', () => {
    const rows = parse(
      formats.csv.render(report([aRecord({ method: 'x[a="1",b=2]' }), aRecord({ method: '=1+1' })])),
    )
    expect(rows.slice(1).map((row) => row[0])).toEqual(['x[a="1",b=2]', "'=1+1"])
  })

  it('has one line per task for the table by task', () => {
    const rows = parse(formats.csv.render(simulated, { tasks: true }))
    expect(rows[0]).toContain('sequential passed (trials)')
    expect(rows.map((row) => row[0])).toMatchSnapshot()
  })
})

it('JSON holds the whole summary, with null for what is unknown', () => {
  const json = JSON.parse(formats.json.render(simulated))
  expect(json).toMatchObject({
    schemaVersion: 1,
    kind: 'summary',
    run: 'results/r1',
    simulated: true,
    profiles: ['typical'],
  })
  expect(json.methods[0].againstBaseline).toBeNull()
  const { notes, schemaVersion, kind, run, comparison, prices, ...summary } = json
  expect(comparison).toBeNull()
  expect(prices).toBeNull()
  expect(summary).toEqual(JSON.parse(JSON.stringify(simulated.summary)))
  expect(notes.at(-1).commands).toContain('jq . results/r1/records.jsonl')
})

it('no format ever says NaN, Infinity or undefined', () => {
  const amount = fc.constantFrom(0, 1, 1e-9, 123.456, 1e9)
  const record = fc.record({
    task: fc.constantFrom('s/1', 's/2', 's/3'),
    method: fc.constantFrom('a', 'b'),
    passed: fc.constantFrom(true, false, null),
    status: fc.constantFrom('completed', 'limited', 'failed', 'error', 'cancelled'),
    spent: fc.record({
      input: amount,
      output: amount,
      costUsd: fc.option(amount),
      calls: fc.integer({ min: 0, max: 3 }),
      unreportedTokens: fc.integer({ min: 0, max: 2 }),
      unreportedCost: fc.integer({ min: 0, max: 2 }),
    }),
  })
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), (drawn) => {
      const records = drawn.map(({ passed, status, ...rest }, epoch) => {
        const missing = status === 'error' || status === 'cancelled'
        return aRecord({ ...rest, status, passed: missing ? null : passed, epoch: epoch + 1 })
      })
      const result = report(records, { baseline: 'a', planned: 6 })
      for (const name of Object.keys(formats) as FormatName[])
        expect(formats[name].render(result, { tasks: true })).not.toMatch(/NaN|Infinity|undefined|\[object/)
    }),
    { numRuns: 60 },
  )
})

/** A small reader of RFC 4180, to read back what was written. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

describe('methods that claim done and deliver nothing', () => {
  const done = { claimed: 'done', delivered: null } as const
  const records = [
    aRecord({ method: 'eager', task: 's/1', ...done, passed: false }),
    aRecord({ method: 'eager', task: 's/2', ...done, passed: true }),
    aRecord({ method: 'eager', task: 's/3' }),
    aRecord({ method: 'idle', task: 's/1', ...done, passed: false }),
    aRecord({ method: 'honest', task: 's/1', claimed: 'halted', delivered: null }),
    aRecord({ method: 'broken', task: 's/1', claimed: null, delivered: null }),
  ]

  /** A report without what LaTeX puts between the words, and without line breaks. */
  const rendered = {
    ...Object.fromEntries(
      (['text', 'markdown', 'latex', 'json'] as const).map((name) => [
        name,
        (of: typeof records) => formats[name].render(report(of)),
      ]),
    ),
    html: (of: typeof records) => pageOf(of, []),
  }
  it.each(Object.entries(rendered))('are counted in %s, and no others', (_, render) => {
    const text = render(records)
      .replace(/\\allowbreak|[{}]/g, '')
      .replace(/\s+/g, ' ')
    expect(text).toContain('eager: claims done, delivered nothing: 2 of 3 trials; 1 of them passed.')
    expect(text).toContain('idle: claims done, delivered nothing: 1 of 1 trial.')
    expect(text).not.toMatch(/(honest|broken): claims done/)
    expect(render(records.slice(4))).not.toContain('claims done')
  })

  it('are counted as numbers in CSV and JSON', () => {
    const [head = [], ...rows] = parse(formats.csv.render(report(records)))
    const at = head.indexOf('done_delivered_nothing (trials)')
    expect(rows.map((row) => row[at])).toEqual(['2', '1', '0', '0'])
    const { methods } = JSON.parse(formats.json.render(report(records)))
    expect(methods[0].doneWithNothing).toEqual({ trials: 2, passed: 1 })
  })
})
