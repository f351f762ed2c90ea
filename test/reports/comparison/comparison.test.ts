import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { decimalsFor, formatDifference, formatP } from '../../../src/reports/words/result-text.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'
import { comparedReport as report } from './compared-report.ts'

const text = (report: Report, definitions = false) =>
  formats.text.render(report, { part: 'comparison', definitions, width: 160 })
const inOneLine = (report: Report, definitions = false) => text(report, definitions).replace(/\s+/g, ' ')
const parse = (line: string): string[] =>
  [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,"]*))(?:,|$)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
const live = [...solves('a', 18, 20), ...solves('b', 6, 20, { spent: { input: 200, costUsd: 0.2 } })]

describe('the comparison of live methods', () => {
  it('shows estimate, interval, adjusted p, verdict and detectable difference', () => {
    const all = text(report(live, { margin: 0.05 }))
    // 12 discordant tasks, all for a: mid-p 0.5^12.
    expect(all).toMatch(/^a than b +20 +\+60\.0 \[\+30\.\d, \+76\.\d\] +< 0\.001 +a better +\d+\.\d$/m)
    expect(all).toMatch(/^a than b +0\.4\d*x .* 0\.5\d*x .* 1\.0x \(all the same\)/m)
    expect(all).toMatch(/^a +90\.0 +100 +on \(\d+\.\d%\)/m)
  })

  it('names all that a reader needs: units, tests, family, seed, prices, models, versions, data and command', () => {
    const all = inOneLine(report(live, { margin: 0.05, seed: 7 }), true)
    for (const words of [
      'a than b: differences are the success of the first minus that of the second in percentage points',
      "Newcombe's paired interval (method 10)",
      "p: two-sided, McNemar's mid-p. Holm, m=1: adjusted over the 1 test of the family",
      'Family: all pairs, m=1; primary outcome: success; 5 points of margin; fixed before the run (run.json)',
      '200 resamples of tasks (seed 7)',
      'Run results/r1 of 2026-01-02: 40 of 40 trials; anthropic:claude (answered as claude-2026-01-01)',
      'prices list 1.0 of 2026-01-01; bench 0.1.0, commit abc; data sha256 dddddddddddddddd',
      'bench report results/r1',
    ])
      expect(all).toContain(words)
  })

  it('says "open" with the smallest difference that would have been found', () => {
    const all = text(report([...solves('a', 11, 20), ...solves('b', 10, 20)]))
    expect(all).toMatch(/open +\S+/m)
    expect(all).not.toMatch(/[ab] better +\d|equals|on par/)
  })

  it('says of a method that is not worse that "better" is not established', () => {
    const wins = [
      ...trials('a', repeat('1110', 40)),
      ...trials('b', [...repeat('1110', 37), ...repeat('1100', 3)]),
    ]
    const all = inOneLine(report(wins, { margin: 0.2 }))
    expect(all).toMatch(
      /equivalent within 20 points|a: better not established \(p 0\.\d+\); not worse by more than 20 points/,
    )
  })

  it('gives the reason for every number that it refuses', () => {
    const few = text(report([...solves('a', 3, 4), ...solves('b', 2, 4)]))
    expect(few).toContain('too few tasks for a test: fewer than 6')
    expect(few).not.toContain('detectable')
    const one = text(report([...solves('a', 1, 1), ...solves('b', 0, 1)]))
    expect(one).toMatch(/^a than b +1 +\+100\.0 \(one task\) +too few tasks$/m)
    const unknown = text(
      report([...live, ...solves('c', 9, 20, { spent: { costUsd: null, unreportedCost: 1 } })]),
    )
    expect(unknown).toMatch(/^a than c .*no task has it/m)
    expect(unknown).toMatch(/^c +45\.0 +100 .*unknown +not placed/m)
    const free = text(report([...solves('a', 9, 10), ...solves('b', 9, 10, { spent: { costUsd: 0 } })]))
    expect(free).toMatch(/^a than b .*no ratio/m)
    const none = text(report([...solves('a', 0, 10), ...solves('b', 9, 10)]))
    expect(none).toMatch(/^a than b .*nothing solved$/m)
  })

  it('gives the reason for an estimate without limits, simulated or not', () => {
    const alike = text(report([...solves('a', 9, 10), ...solves('b', 8, 10)]))
    expect(alike).toMatch(/^a than b +1\.0x \(all the same\) /m)
    for (const simulated of [false, true]) {
      const all = text(report([...solves('a', 1, 1, { simulated }), ...solves('b', 0, 1, { simulated })]))
      expect(all).toMatch(/^a than b +1 +\+100\.0 \(one task\)/m)
      expect(all).toMatch(/^a than b +1\.0x \(one task\)/m)
      expect(all).toContain('"one task": one task allows no inference about other tasks.')
    }
  })

  it('has the ratio of a typical task in CSV, for time the median of the task ratios', () => {
    const timed = (method: string, slow: number) =>
      solves(method, 5, 9).map((record, task) => ({ ...record, durationMs: task < 7 ? 1000 + task : slow }))
    const [head = '', row = ''] = formats.csv
      .render(report([...timed('a', 90_000), ...timed('b', 9000)]), { part: 'comparison' })
      .split('\n')
    const at = head.split(',').findIndex((name) => name.includes('time_typical_ratio'))
    expect(at).toBeGreaterThan(0)
    expect(head).toContain('"time_typical_ratio (first / second, median of tasks)"')
    const number = (name: string) => Number(parse(row)[parse(head).indexOf(name)])
    expect(number('time_typical_ratio (first / second, median of tasks)')).toBe(1)
    expect(number('time_ratio (first / second)')).toBeGreaterThan(2)
  })

  it('has the p of the claim and the name of its test in CSV and JSON', () => {
    // Five wins of eight tasks: mid-p 1/32, exact p 1/16, and the claim needs both.
    const few = report([...solves('a', 7, 8), ...solves('b', 2, 8)])
    const [head = '', row = ''] = formats.csv.render(few, { part: 'comparison' }).split('\n')
    const cell = (name: string) => parse(row)[parse(head).indexOf(name)]
    expect(Number(cell('p (two-sided)'))).toBeCloseTo(1 / 32, 12)
    expect(Number(cell('p_claim (two-sided, before adjustment)'))).toBeCloseTo(1 / 16, 12)
    expect(cell('p_claim_test')).toBe('greater-of-mcnemar-mid-p-and-exact')
    const { outcome } = JSON.parse(formats.json.render(few)).comparison.pairs[0]
    expect(outcome.claimTest).toBe('greater-of-mcnemar-mid-p-and-exact')
  })

  it('has the difference of each pair on each suite', () => {
    const other = live.map((record) => ({ ...record, task: `o/${record.task}`, suite: 'other' }))
    const two = text(report([...live, ...other]), true)
    expect(two).toMatch(/^pair +other +s$/m)
    expect(two).toMatch(/^a than b +\+60\.0 \[\+30\.\d, \+76\.\d\] +\+60\.0 \[/m)
    expect(two).toContain(
      'By suite, at 95% over all suites and pairs: a is better than b on at least 2 of 2 suites (other, s).',
    )
    expect(two).toContain('The verdict is over all tasks; a suite weighs by its tasks: other 20, s 20.')
    expect(text(report(live), true)).not.toMatch(/suite/)
  })

  it('counts on how many suites a method is better, adjusted over suites and pairs', () => {
    const suite = (name: string, records: typeof live) =>
      records.map((record) => ({ ...record, task: `${name}/${record.task}`, suite: name }))
    const level = [...solves('a', 18, 20), ...solves('b', 17, 20)]
    const against = [...solves('a', 6, 20), ...solves('b', 18, 20)]
    const few = [...solves('a', 5, 5), ...solves('b', 0, 5)]
    const records = [
      suite('one', live),
      suite('two', level),
      suite('three', against),
      suite('few', few),
    ].flat()
    const all = inOneLine(report(records), true)
    expect(all).toContain(
      'By suite, at 95% over all suites and pairs: a is better than b on at least 1 of 4 suites (one); b is better than a on at least 1 of 4 suites (three).',
    )
    expect(all).toContain('adjusted over all suites and pairs (Holm)')
    expect(all).toContain('suites point in opposite directions')
    const same = inOneLine(report([suite('one', level), suite('two', level), suite('three', level)].flat()))
    expect(same).toContain('No difference is established on any suite: a than b.')
    const simulated = inOneLine(report(records.map((record) => ({ ...record, simulated: true }))), true)
    expect(simulated).toContain('By suite: described, not tested')
    expect(simulated).toContain('The difference is over all tasks')
  })

  it('names settings that differ between runs', () => {
    const all = inOneLine(report(live, {}, { differing: ['seeds differ, 1 and 2'] }))
    expect(all).toContain('Between the runs: seeds differ, 1 and 2.')
  })
})

describe('numbers', () => {
  it.each([
    [0.0498, '0.0498'],
    [0.0501, '0.0501'],
    [0.04996, '0.04996'],
    [0.0500002, '0.0500002'],
    [0.05, '0.050'],
    [0.0494, '0.049'],
  ])('p %s is printed with the digits that tell it from the level: %s', (p, shown) => {
    expect(formatP(p)).toBe(shown)
  })

  it('p is told from another level, too', () => {
    expect([formatP(0.0996, 0.1), formatP(0.0501, 0.1)]).toEqual(['0.0996', '0.050'])
  })

  it('p is never 0, and has three decimals', () => {
    expect([0, 1e-9, 0.0004, 0.034, 0.9999, 1].map(formatP)).toMatchSnapshot()
  })

  it('limits are rounded outward, to two digits of the standard error', () => {
    expect([12, 3.4, 0.5, 0.012, null].map(decimalsFor)).toEqual([1, 1, 2, 3, 1])
    const interval = { estimate: 0.1234, lower: 0.0111, upper: 0.2222 }
    expect(formatDifference(interval, { scale: 100, decimals: 1 })).toBe('+12.3 [+1.1, +22.3]')
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 3 }),
        (value, decimals) => {
          const shown = formatDifference(
            { estimate: value, lower: value, upper: value },
            { scale: 100, decimals },
          )
          const [low, high] = (/\[(.*), (.*)\]/.exec(shown) ?? []).slice(1).map(Number)
          expect(low as number).toBeLessThanOrEqual(100 * value + 1e-6)
          expect(high as number).toBeGreaterThanOrEqual(100 * value - 1e-6)
        },
      ),
    )
  })

  it('no format ever says NaN, Infinity or undefined of a comparison', () => {
    const amount = fc.constantFrom(0, 1, 123.456, 1e9)
    const record = fc.record({
      task: fc.constantFrom(...Array.from({ length: 8 }, (_, n) => `s/${n}`)),
      method: fc.constantFrom('a', 'b', 'c'),
      passed: fc.constantFrom(true, false, null),
      status: fc.constantFrom('completed', 'limited', 'error' as const),
      spent: fc.record({
        input: amount,
        costUsd: fc.option(amount),
        unreportedTokens: fc.integer({ min: 0, max: 1 }),
      }),
    })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.constantFrom(null, 0.1), (drawn, margin) => {
        const records = drawn.map(({ passed, status, ...rest }, epoch) =>
          aRecord({ ...rest, status, passed: status === 'error' ? null : passed, epoch: epoch + 1 }),
        )
        const made = report(records, { margin, resamples: 20 })
        for (const name of Object.keys(formats) as FormatName[])
          for (const part of ['whole', 'comparison'] as const)
            expect(formats[name].render(made, { part })).not.toMatch(/NaN|Infinity|undefined|\[object/)
      }),
      { numRuns: 40 },
    )
  })
})
