import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latexTable } from '../../../src/reports/formats/latex-table.ts'
import { latexNumbers, latexText } from '../../../src/reports/formats/latex-text.ts'
import { formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const records = [
  ...solves('self-consistency=sequential', 4, 20),
  ...solves('z_1', 16, 20, { spent: { input: 200, costUsd: 0.2 } }),
]
const whole = formats.latex.render(comparedReport(records, { margin: 0.05 }))

describe('LaTeX', () => {
  it('is source that a person could have written', () => {
    expect(whole).toMatch(
      /\\begin\{tabular\}\{@\{\}lrrrrrr@\{\}\}\n {4}\\toprule\n {4}Method {2,}& Success & +95\\% limits & /,
    )
    expect(whole).toMatch(/\n {4}z\\_1 +& +80\.0 & \[\d\d\.\d, \d\d\.\d\] & /)
    expect(whole).not.toMatch(/allowbreak|adjustbox|siunitx|\{,\}|\{-\}/)
  })

  it('has real minus signs in numbers and limits', () => {
    expect(whole).toMatch(/ & +\$-60\.0\$ & \[\$-\$76\.\d, \$-\$30\.\d\] & \$< 0\.001\$ & worse /)
  })

  it.each([
    ['-29.4', '$-29.4$'],
    ['[-29.4, 6.1]', '[$-$29.4, 6.1]'],
    ['-52.2 (one task)', '$-$52.2 (one task)'],
    ['< 0.001', '$< 0.001$'],
    ['>= 0.12', '$\\ge 0.12$'],
    ['gpt-4', 'gpt-4'],
    ['2,755', '2,755'],
    ['-', '--'],
  ])('writes the cell %s as %s', (text, latex) => expect(latexNumbers(text)).toBe(latex))

  it('has short captions without results, and labels with the name of the run', () => {
    expect(whole.match(/\\caption\{.*\}/g)).toMatchSnapshot()
    const labels = ['tab:r1-methods', 'tab:r1-pairs', 'tab:r1-spending']
    expect(whole.match(/tab:[^}]*/g)).toEqual(labels)
    const elsewhere = { ...comparedReport(records), run: '/home/somebody/study/r1/' }
    expect(formats.latex.render(elsewhere).match(/tab:[^}]*/g)).toEqual(labels)
  })

  it('has few notes: the design, the source and the command; with definitions all of them', () => {
    const notes = (text: string) => /\\footnotesize\n( {2}[\s\S]*?\\end\{flushleft\})/.exec(text)?.[1] ?? ''
    for (const words of ['20 tasks, 1 epoch', 'McNemar', '(Holm, m=1)', 'claude', 'commit abc', '--notes'])
      expect(notes(whole)).toContain(words.replace('--', '-{}-'))
    expect(notes(whole).length).toBeLessThan(6 * 100)
    expect(notes(whole).trimEnd()).toMatch(
      / \\texttt\{bench report results\/r1 -\{\}-format latex\}\n\\end\{flushleft\}$/,
    )
    const all = formats.latex.render(comparedReport(records, { margin: 0.05 }), { definitions: true })
    expect(notes(all)).toContain('Wilson score interval')
    expect(notes(all).length).toBeGreaterThan(2 * notes(whole).length)
  })

  it('has the tables of a paper apart from the others, each once', () => {
    const some = [1, 2, 3].flatMap((epoch) => records.map((one) => ({ ...one, epoch })))
    const report = comparedReport(some, { margin: 0.05 })
    const labels = (tables?: 'paper' | 'appendix') =>
      formats.latex.render(report, { tables }).match(/tab:[^}]*/g) ?? []
    expect(labels('paper')).toEqual(['tab:r1-methods', 'tab:r1-pairs', 'tab:r1-spending'])
    expect(labels('appendix')).toEqual(['tab:r1-spread'])
    expect([...labels('paper'), ...labels('appendix')].sort()).toEqual([...labels()].sort())
    expect(formats.latex.render(report, { tables: 'paper' })).toContain('-{}-format latex -{}-tables paper')
  })

  it('prints the chosen columns of one table, in their order', () => {
    const report = comparedReport(records)
    const text = formats.latex.render(report, { columns: ['method', 'calls', 'passed'] })
    expect(text).toMatch(/Method +& +Calls & +Passed \\\\\n/)
    expect(text.match(/\\toprule/g)).toHaveLength(1)
    const pairs = formats.latex.render(report, { columns: ['pair', 'p'], part: 'comparison' })
    expect(pairs).toMatch(/Method +& Against +& +\$p\$ \\\\\n/)
    expect(formats.csv.render(report, { columns: ['passed', 'method'] })).toMatchSnapshot()
    expect(formats.markdown.render(report, { columns: ['method', 'passed'] })).toContain(
      '| method | passed |\n| :--- | ---: |\n| self-consistency=sequential | 4/20 |\n',
    )
  })

  it.each(['latex', 'csv', 'markdown', 'text'] as const)(
    'names the columns of %s where one is unknown',
    (format) => {
      const render = () =>
        formats[format].render(comparedReport(records), { columns: ['method', 'sucess', 'q'] })
      expect(render).toThrow(/no column "sucess" in this table\. Did you mean "success"\? Known: method, /)
      expect(render).toThrow(/no column "q"/)
    },
  )

  it('gives the dollars of a column the same decimals', () => {
    const cheap = (costUsd: number) => ({ spent: { costUsd } })
    const text = formats.latex.render(
      comparedReport([...solves('a', 8, 10, cheap(0.0341)), ...solves('b', 6, 10, cheap(0.134))]),
    )
    expect(text).toMatch(/ a +& .* & +0\.0341 & +0\.0426 & \[0\.\d{4}, 0\.\d{4}\] \\\\/)
    expect(text).toMatch(/ b +& .* & +0\.1340 & +0\.2233 & /)
  })

  it('writes a fraction of a cent with its significant digits, never as 0', () => {
    const cheap = (costUsd: number) => ({ spent: { costUsd } })
    const text = formats.latex.render(
      comparedReport([...solves('a', 8, 10, cheap(4.2e-7)), ...solves('b', 6, 10, cheap(1234.5))]),
    )
    expect(text).toMatch(/ & +0\.000000420 & +0\.000000525 /)
    expect(text).toMatch(/ & +1,234\.50 & +2,057\.50 /)
  })

  it('has a row for each suite, if there are several', () => {
    const other = records.map((record) => ({ ...record, task: `o/${record.task}`, suite: 'other' }))
    expect(whole).not.toContain('suites}')
    expect(formats.latex.render(comparedReport([...records, ...other]))).toMatch(
      /\\label\{tab:r1-suites\}[\s\S]*?\n {4}other +& /,
    )
  })

  it('says in the captions that numbers are simulated, and has no p-value and no verdict then', () => {
    const simulated = records.map((record) => ({ ...record, simulated: true }))
    const text = formats.latex.render(comparedReport(simulated, { margin: 0.05 }))
    for (const caption of text.match(/\\caption\{.*\}/g) ?? []) expect(caption).toContain('(simulated)')
    expect(text).not.toMatch(/Holm, m|better|worse|\bopen\b|< 0\.001|& simulated/)
  })

  it('continues a table that is longer than a page', () => {
    const column = { key: 'n', heading: 'N', unit: '', kind: 'number', cell: String } as const
    const rows = Array.from({ length: 60 }, (_, i) => i)
    const text = latexTable({ caption: 'Numbers', label: 'n' }, [column], rows)
    expect(text.match(/\\caption\{.*\}/g)).toEqual(['\\caption{Numbers.}', '\\caption{Numbers (continued).}'])
    expect(text.match(/\\label/g)).toHaveLength(1)
  })

  it('leaves no character of any name that LaTeX would read as a command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        for (const text of [latexText(name), latexNumbers(name)]) {
          const rest = text
            .replace(
              /\\(?:textbackslash|textasciicircum|textasciitilde|dots)\{\}|\{\\ttfamily\\symbol\{34\}\}/g,
              '',
            )
            .replace(/\$(?:[<>|-]|\\(?:pm|times|div|cdot|le|ge|to)|-[\d.]+|(?:<|\\ge) [\d.]+)\$/g, '')
            .replace(/\\[{}$&#%_]|\{\}/g, '')
          expect(rest).toMatch(/^[A-Za-z0-9 !?()*+,./:;=@[\]`'\u00c0-\u00ff-]*$/)
        }
      }),
      { numRuns: 500 },
    )
    expect(latexText('a😀b')).toBe('aU+1F600b')
    expect(latexText('a--b')).toBe('a-{}-b')
  })
})
