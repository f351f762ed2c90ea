import { describe, expect, it } from 'vitest'
import type { CompareOptions } from '../../../src/analysis/compare/compare.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport as report } from './compared-report.ts'

const text = (report: Report, definitions = false) =>
  formats.text.render(report, { part: 'comparison', definitions, width: 160 })
const live = [...solves('a', 18, 20), ...solves('b', 6, 20, { spent: { input: 200, costUsd: 0.2 } })]

describe('numbers without a test', () => {
  const simulated = live.map((record) => ({ ...record, simulated: true }))

  it('of a simulation have estimates and intervals, no p-value and no verdict, in any format', () => {
    const made = report(simulated, { margin: 0.05 })
    const words =
      /a better|not.established|not.separated|too.few.tasks|undecided|"word": "|\bequivalent within|< 0\.001/
    // Why there is no detectable difference is no verdict.
    const alike = solves('a', 4, 4, { simulated: true })
    const lost = trials('b', ['1', '-', '0', '0'], { simulated: true })
    for (const one of [
      made,
      report([...alike, ...solves('b', 4, 4, { simulated: true })]),
      report([...alike, ...lost]),
    ])
      for (const name of Object.keys(formats) as FormatName[])
        for (const part of ['whole', 'comparison'] as const)
          expect(formats[name].render(one, { part }).replaceAll(/"mdeRefusal": ".*"/g, '')).not.toMatch(words)
    expect(text(made)).toMatch(/^a than b +20 +\+60\.0 \[\+30\.\d, \+76\.\d\]$/m)
    expect(text(made)).toMatch(/in \d+\.\d%/)
  })

  it('are tested in a calibration, which marks every title', () => {
    const made = text(report(simulated, { calibration: true }))
    expect(made).toMatch(/a better/)
    expect(made.match(/\(simulated, calibration of the procedures\)/g)).toHaveLength(3)
  })

  it('after a look have no p-value, no interval and no verdict, with the reason', () => {
    const made = text(report(live, { voided: 'looked' }, { looks: [16, 24] }))
    expect(made).toMatch(/^a than b +20 +\+60\.0 +void: looked$/m)
    expect(made).not.toMatch(/\[[+-]?\d+\.\d|a better/)
    expect(made.replace(/\s+/g, ' ')).toContain('are void (looks at 16, 24 records).')
  })

  it('of an unfinished run have intervals, but no p-value', () => {
    const made = text(report(live, { voided: 'unfinished' }))
    expect(made).toMatch(/^a than b +20 +\+60\.0 \[.*\] +void: unfinished$/m)
  })
})

describe('a stop rule', () => {
  const tasks = Array.from({ length: 20 }, (_, task) => `s/${String(task).padStart(3, '0')}`)
  const stop = { sequence: 'mcnemar', alpha: 0.05, comparisons: 1, hopedTasks: 10 } as const

  it('shows its own p, never the ordinary one, on the tasks up to the look that settled it', () => {
    const options: CompareOptions = { stop, order: tasks, epochs: 1, methods: ['a', 'b'] }
    const made = report([...solves('a', 20, 20), ...solves('b', 0, 20)], options)
    // e after n wins of one side is 2^n / (n + 1): 28.4 at the eighth, the first above 20.
    expect(made.comparison?.comparison.stop).toMatchObject({ settledAt: 8, looks: 8 })
    expect(made.comparison?.comparison.tasks).toEqual(tasks.slice(0, 8))
    expect(text(made)).toMatch(/^a than b +8 +\+100\.0 +0\.035 +a better/m)
    expect(text(made)).toContain('at any look, m=1')
    expect(text(made, true)).toContain('"Better": the stop rule has settled the pair')
    // Each pair has its part of alpha: no ordinary p-value, and no Holm.
    for (const name of Object.keys(formats) as FormatName[])
      expect(formats[name].render(made, { part: 'comparison' })).not.toMatch(
        /McNemar's mid-p|Newcombe|Holm, m/,
      )
    expect(text(made, true)).not.toContain('Holm')
    expect(text(made).replace(/\s+/g, ' ')).toContain('All pairs were settled after task 8')
  })

  it('reports that it is not settled', () => {
    const options: CompareOptions = { stop, order: tasks, epochs: 1, methods: ['a', 'b'] }
    const made = text(report([...solves('a', 11, 20), ...solves('b', 10, 20)], options))
    expect(made).toMatch(/open$/m)
    expect(made).not.toContain('detectable')
    expect(made).toContain('Not settled after 20 tasks')
  })

  it('counts finished tasks in the order of the plan, whichever ended first', () => {
    const records = [...solves('a', 20, 20), ...solves('b', 0, 20)].filter(({ task }) => task !== 's/003')
    const made = report(records, { stop, order: tasks, epochs: 1, methods: ['a', 'b'] })
    expect(made.comparison?.comparison.stop).toMatchObject({ settledAt: null, looks: 3 })
  })
})
