import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLines } from '../../../src/reports/formats/screen-text.ts'
import { renderTextTables } from '../../../src/reports/formats/text.ts'
import { formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { createTable } from '../../../src/reports/tables/table.ts'
import { displayWidth } from '../../../src/text/display-width.ts'
import { solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const screen = (report: Report, width: number) => formats.text.render(report, { part: 'short', width })
const linesOf = (text: string) => text.trimEnd().split('\n')
const widestOf = (text: string) => Math.max(...linesOf(text).map(displayWidth))

/** 40 tasks with three epochs; a method passes its own share of them. */
const method = (name: string, share: number, costUsd: number) =>
  trials(
    name,
    Array.from({ length: 40 }, (_, task) =>
      [0, 1, 2].map((epoch) => ((task * 7 + epoch * 11) % 40 < 40 * share ? 1 : 0)).join(''),
    ),
    { spent: { costUsd } },
  )
const four = (names: readonly string[]) =>
  comparedReport(
    names.flatMap((name, i) =>
      method(name, [0.4, 0.75, 0.5, 0.3][i] ?? 0.6, [0.034, 0.077, 0.044, 0.027][i] ?? 0.5),
    ),
    { baseline: names[0] ?? 'a', margin: 0.1 },
  )
const short = four(['A', 'B', 'C', 'D'])
const long = four(['baseline', 'sequential', 'consensus', 'self-consistency=sequential'])

describe('the first screen', () => {
  it('has everything at 100 columns', () => {
    expect(screen(short, 100)).toMatchInlineSnapshot(`
      "4 methods on 40 tasks, 3 epochs each; live; 480 trials, none missing

               success  rank  than A                              USD         cost          USD
               % [95%]          points [95%]  says          per trial  ratio [95%]  per success
      B  75.0 [66, 83]     1  +35 [+29, +41]  better <.001     0.0770         2.3x        0.103
      C  50.0 [40, 60]     2  +10 [ +5, +15]  better <.001     0.0440         1.3x       0.0880
      A  40.0 [31, 50]     3        baseline                   0.0340                    0.0850
      D  30.0 [21, 40]     4  -10 [-15,  -5]  worse <.001      0.0270        0.79x       0.0900

      Who    B is better than all others; C than A and D; A than D. Largest against A: B than A by 35
             points [29, 41], p <.001.
      Price  a success costs $0.103 with B and $0.0850 with A: 1.21x [1.06, 1.37].
      Sure   false claims in at most 5% of such runs each: success (6 tests), the margin (6), price (3);
             40 tasks find 25 to 27 points in 4 of 5 runs.

      all tables: bench report results/r1   one trial: bench show results/r1 TRIAL
      two methods: bench compare results/r1:B results/r1:C   how many tasks: bench power results/r1
      "
    `)
  })

  it('at 80 columns puts p beside the word, and leaves out the limits of cost per success', () => {
    expect(screen(long, 80)).toMatchInlineSnapshot(`
      "4 methods on 40 tasks, 3 epochs each; live; 480 trials, none missing

                                success  rank  than baseline                       USD
                                % [95%]          points [95%]  says          per trial
      sequential          75.0 [66, 83]     1  +35 [+29, +41]  better <.001     0.0770
      consensus           50.0 [40, 60]     2  +10 [ +5, +15]  better <.001     0.0440
      baseline            40.0 [31, 50]     3        baseline                   0.0340
      self-consistency=sequential
                          30.0 [21, 40]     4  -10 [-15,  -5]  worse <.001      0.0270

      Who    sequential is better than all others; consensus than baseline and
             self-consistency=sequential; baseline than self-consistency=sequential.
             Largest against baseline: sequential than baseline by 35 points [29, 41],
             p <.001.
      Price  a success costs $0.103 with sequential and $0.0850 with baseline: 1.21x
             [1.06, 1.37].
      Sure   false claims in at most 5% of such runs each: success (6 tests), the
             margin (6), price (3); 40 tasks find 25 to 27 points in 4 of 5 runs.
      all tables: bench report results/r1   one trial: bench show results/r1 TRIAL
      two methods: bench compare results/r1:sequential results/r1:consensus
      "
    `)
  })

  it('at 60 columns leaves out cost per success, and narrower what is left of it', () => {
    expect(screen(short, 60)).toMatch(/USD\n.* says +per trial\n/)
    expect(screen(long, 60)).toMatch(/than baseline\n +% \[95%\] +points \[95%\] +says\n/)
    expect(screen(long, 40)).not.toContain('[95%]')
    expect(screen(long, 24)).toMatch(/^sequential/m)
  })

  it.each([80, 100])('takes at most 20 lines for four methods at %i columns', (width) => {
    for (const report of [short, long]) expect(linesOf(screen(report, width)).length).toBeLessThanOrEqual(20)
  })

  it('is one table: each method stands in it once, a long name above its numbers', () => {
    const text = screen(long, 80)
    expect(text.match(/^self-consistency=sequential\n +\d/gm)).toHaveLength(1)
    expect(text.match(/^sequential +\d/gm)).toHaveLength(1)
  })

  it('counts the warnings that it has no room for, and the report has them all', () => {
    const broken = ['a', 'b', 'c'].flatMap((name, i) =>
      solves(name, 2 + i, 12, { spent: i === 1 ? { costUsd: null, unreportedCost: 1 } : {} }).map((one) => ({
        ...one,
        outcome: { status: 'failed' as const, reason: '' },
        fidelity: { status: 'deviates' as const, at: 'x' },
      })),
    )
    const report = comparedReport(broken, { assignments: { a: { solver: 'x' }, b: { solver: 'y' } } })
    expect(screen(report, 60)).toMatch(/\n {7}\d more warnings?: bench report results\/r1\n/)
    expect(formats.text.render(report, { width: 60 })).not.toContain('more warning')
  })
})

describe('no line is wider than the terminal', () => {
  it.each([60, 80, 120])(
    'at %i columns, with wide characters and long names of methods, tasks and runs',
    (width) => {
      const names = [
        '方法一二三四五六七八九十方法一二三四五六七八九十方法一二',
        'a'.repeat(70),
        'b=a[maxInner=5,patience=3]',
        '👩‍🔬-x',
      ]
      const records = names.flatMap((name, i) => method(name, 0.2 * (i + 1), 0.1 * (i + 1)))
      const renamed = records.map((one) => ({
        ...one,
        task: `a-suite-with-a-name/${'t'.repeat(30)}-${one.task}`,
      }))
      const compared = comparedReport(renamed, { baseline: 'b=a[maxInner=5,patience=3]' })
      for (const part of ['short', 'whole', 'comparison'] as const)
        for (const definitions of [false, true]) {
          const text = formats.text.render(compared, { part, width, definitions, tasks: true })
          expect(widestOf(text)).toBeLessThanOrEqual(width)
        }
    },
  )

  it('whatever a table holds', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', '-', '1', '宽', '=', 'é'),
      minLength: 1,
      maxLength: 30,
    })
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { minLength: 4, maxLength: 4 }), { maxLength: 4 }),
        fc.integer({ min: 12, max: 90 }),
        (rows, width) => {
          const columns = [0, 1, 2, 3].map((at) => ({
            ...{
              key: `k${at}`,
              heading: `heading ${at}`,
              unit: at === 2 ? '% [95%]' : '',
              group: at === 0 ? 'label' : 'x',
            },
            ...{ align: at === 0 ? ('left' as const) : ('right' as const), audience: 'all' as const },
            cell: (row: readonly string[]) => ({ text: row[at] ?? '', value: null }),
          }))
          const shown = renderTextTables(
            [createTable('a title of some words', columns, rows, [])],
            [{ text: rows.flat().join(' ') }],
            width,
          )
          expect(widestOf(shown)).toBeLessThanOrEqual(width)
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('a table that is wider than the terminal', () => {
  it('wraps headings, then labels, and keeps intervals whole', () => {
    const text = formats.text.render(long, { part: 'comparison', width: 60 })
    expect(text).toMatch(/^self-consistency= +40 .*\n^sequential than\n^baseline$/m)
    expect(text).not.toMatch(/\[[+-]?[\d.]+, *\n/)
  })

  it('names the columns that it leaves out', () => {
    expect(formats.text.render(long, { width: 40 }).replace(/\s+/g, ' ')).toMatch(
      /Too wide for 40 columns, so left out: success points \[95%\], p Holm, .*flips % \(itself\)\./,
    )
    expect(formats.text.render(long, { width: 160 })).not.toContain('left out')
  })
})

it('definitions are shown only on request, and the first screen names the way to them', () => {
  const [usual, explained] = [false, true].map((definitions) => formats.text.render(long, { definitions }))
  expect(usual).toContain('bench report results/r1 --notes')
  expect(linesOf(explained ?? '').length).toBeGreaterThan(linesOf(usual ?? '').length + 5)
  expect(explained).not.toContain('--notes')
})

it.each([
  ['bench report results/r1', 40, ['  bench report results/r1']],
  ['bench report results/r1', 20, ['  bench report \\', '  results/r1']],
  ['bench show a-very-long-name/of-a-run x', 20, ['  bench show \\', '  a-very-long-name\\', '/of-a-run x']],
  ["bench show 'a quoted run'", 10, ["  bench show 'a quoted run'"]],
])('a command (%s) at %i columns stays one for the shell', (command, width, lines) => {
  expect(commandLines(command, width, '  ')).toEqual(lines)
})
