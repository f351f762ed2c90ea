import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsFor, formatDifference, formatP } from '../../../src/reports/comparison/result-text.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'
import { comparedReport as report } from './compared-report.ts'

const text = (report: Report, part: 'whole' | 'short' | 'comparison' = 'comparison') =>
  formats.text.render(report, { part })
const live = [...solves('a', 18, 20), ...solves('b', 6, 20, { spent: { input: 200, costUsd: 0.2 } })]

describe('the comparison of live methods', () => {
  it('shows estimate, interval, adjusted p, verdict and detectable difference', () => {
    const all = text(report(live, { margin: 0.05 }))
    // 12 discordant tasks, all for a: mid-p 0.5^12.
    expect(all).toMatch(/^a - b +20 +\+60\.0 \[\+30\.\d, \+76\.\d\] +< 0\.001 +a better +\d+\.\d$/m)
    expect(all).toMatch(/^a - b +tokens +54\.5 .*\+60\.0 \[\+30/m)
    expect(all).toMatch(/^a +90\.0 +100 +on \(\d+\.\d%\)/m)
  })

  it('names all that a reader needs: units, tests, family, seed, prices, models, versions, data and command', () => {
    const all = text(report(live, { margin: 0.05, seed: 7 })).replace(/\s+/g, ' ')
    for (const words of [
      '20 tasks; 40 trials of 40 planned recorded. a: 1 epoch, 20 run, 20 graded, 0 missing',
      "Newcombe's paired interval (method 10)",
      "p: two-sided, McNemar's mid-p",
      'Family: all pairs, m=1; primary outcome: success; 5 points of margin; fixed before the run (run.json)',
      '200 resamples of tasks (seed 7)',
      'answered as claude-2026-01-01',
      'prices list 1.0 of 2026-01-01; bench 0.1.0, commit abc; data sha256 dddddddddddddddd',
      'bench report results/r1',
    ])
      expect(all).toContain(words)
  })

  it('is short under the table of a run', () => {
    const short = text(report(live), 'short')
    expect(short).toMatch(/a better/)
    expect(short).not.toMatch(/What A saves|frontier of/)
    expect(short.indexOf('2 methods on 20 tasks')).toBeLessThan(short.indexOf('Comparison of success'))
  })

  it('says "not established" with the smallest difference that would have been found', () => {
    const all = text(report([...solves('a', 11, 20), ...solves('b', 10, 20)]))
    expect(all).toMatch(/not established +\d+\.\d$/m)
    expect(all).not.toMatch(/[ab] better +\d|equals|on par/)
  })

  it('gives the reason for every number that it refuses', () => {
    const few = text(report([...solves('a', 3, 4), ...solves('b', 2, 4)]))
    expect(few).toContain('too few tasks')
    expect(few).toContain('too few tasks for a test: fewer than 6')
    const one = text(report([...solves('a', 1, 1), ...solves('b', 0, 1)]))
    expect(one).toMatch(/one task +too few tasks +one task$/m)
    const unknown = text(
      report([...live, ...solves('c', 9, 20, { spent: { costUsd: null, unreportedCost: 1 } })]),
    )
    expect(unknown).toMatch(/^a - c +cost +no task has it/m)
    expect(unknown).toMatch(/^c +45\.0 +100 .*unknown +not placed/m)
    const free = text(report([...solves('a', 9, 10), ...solves('b', 9, 10, { spent: { costUsd: 0 } })]))
    expect(free).toMatch(/^a - b +cost +no ratio/m)
    const none = text(report([...solves('a', 0, 10), ...solves('b', 9, 10)]))
    expect(none).toMatch(/^a - b +cost per success +nothing solved/m)
  })

  it('gives the reason for an estimate without limits, simulated or not', () => {
    const alike = text(report([...solves('a', 9, 10), ...solves('b', 8, 10)]))
    expect(alike).toMatch(/^a - b +tokens +0\.0 \(all the same\) /m)
    for (const simulated of [false, true]) {
      const all = text(report([...solves('a', 1, 1, { simulated }), ...solves('b', 0, 1, { simulated })]))
      expect(all).toMatch(/^a - b +(?:simulated +)?1 +\+100\.0 \(one task\)/m)
      expect(all).toMatch(/^a - b +(?:simulated +)?tokens +0\.0 \(one task\) +\+100\.0 \(one task\)/m)
      expect(all).toContain('one task allows no inference about other tasks')
    }
  })

  it('uses the median of the task ratios for the time of a typical task', () => {
    const timed = (method: string, slow: number) =>
      solves(method, 5, 9).map((record, task) => ({ ...record, durationMs: task < 7 ? 1000 + task : slow }))
    const all = text(report([...timed('a', 90_000), ...timed('b', 9000)]))
    expect(all).toMatch(/^a - b +time +-\d{3}\.\d/m)
    expect(all).toMatch(/^a - b +time +0\.0 \[-900\.0, 0\.0\]/m)
    expect(all.replace(/\s+/g, ' ')).toContain('for time the median of the task ratios')
  })

  it('has a row for each suite', () => {
    const other = live.map((record) => ({ ...record, task: `o/${record.task}`, suite: 'other' }))
    expect(text(report([...live, ...other]))).toMatch(/^s +a - b +20 +90\.0 +30\.0 +\+60\.0 \[/m)
    expect(text(report(live))).not.toContain('By suite')
    expect(text(report([...live, ...other]))).toContain('By suite: described, not tested')
  })

  it('counts with three suites or more on how many a method is better, adjusted over the suites of the pair', () => {
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
    const comparison = report(records)
    const all = text(comparison)
    expect(all).toMatch(/^one +a - b +20 +90\.0 +30\.0 .* < 0\.001$/m)
    expect(all).toMatch(/^few +a - b +5 .* too few tasks$/m)
    expect(all.replace(/\s+/g, ' ')).toContain(
      'a is better on at least 1 of 4 suites (one); b is better on at least 1 of 4 suites (three), at 95%.',
    )
    const same = report([suite('one', level), suite('two', level), suite('three', level)].flat())
    expect(text(same).replace(/\s+/g, ' ')).toContain('a and b: no difference is established on any suite.')
    const simulated = report(records.map((record) => ({ ...record, simulated: true })))
    expect(text(simulated).replace(/\s+/g, ' ')).toContain('By suite: described, not tested')
  })

  it('advises more tasks or more epochs', () => {
    const noisy = [
      ...trials('a', repeat('1010', 10)),
      ...trials('b', [...repeat('0110', 5), ...repeat('1110', 5)]),
    ]
    expect(text(report(noisy)).replace(/\s+/g, ' ')).toMatch(/more epochs help as well as more tasks/)
  })

  it('names settings that differ between runs, and a pair that was chosen afterwards', () => {
    const all = text(
      report(live, {}, { stated: 'afterwards', differing: ['seeds differ, 1 and 2'] }),
    ).replace(/\s+/g, ' ')
    expect(all).toContain('Between the runs: seeds differ, 1 and 2.')
    expect(all).toContain('chosen after the runs')
  })
})
describe('numbers', () => {
  it('p is never 0, and has three decimals', () => {
    expect([0, 1e-9, 0.0004, 0.034, 0.9999, 1].map(formatP)).toEqual([
      '< 0.001',
      '< 0.001',
      '< 0.001',
      '0.034',
      '1',
      '1',
    ])
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
