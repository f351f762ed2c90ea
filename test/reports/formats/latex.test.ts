import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latexName, latexText } from '../../../src/reports/formats/latex-text.ts'
import { formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const nasty = 'm_1[a={x}%,b=$5&#~^\\end{tabular}|<>"\'`-- fi'
const records = [...solves(nasty, 18, 20), ...solves('b', 6, 20, { spent: { input: 200, costUsd: 0.2 } })]

describe('LaTeX', () => {
  it('gives booktabs tables with aligned numbers, captions, notes and the command that makes them again', () => {
    const text = formats.latex.render(comparedReport(records, { margin: 0.05 }))
    expect(text.match(/\\toprule/g)).toHaveLength(4)
    expect(text).toContain('{tab:results-r1-spread}')
    expect(text).toMatch(/S\[table-format=2\.1\]/)
    expect(text).toMatch(/\\caption\{[^\n]*2 methods on 20 tasks/)
    expect(text).toMatch(
      /& 20 & -60\.0 & \{\{\[\}\{-\}76\.\d\{,\} \{-\}30\.\d\{\]\}\} & \{\\textless\{\} 0\.001\} & /,
    )
    const words = text.replace(/\\allowbreak\{\}|[{}]/g, '')
    for (const note of [
      '20 tasks',
      '1 epoch',
      'McNemar',
      'Holm',
      'claude',
      'prices list 1.0 of 2026-01-01',
      'commit abc',
    ])
      expect(words).toContain(note)
    expect(words.trimEnd()).toMatch(
      /Command that makes this again: \\textttbench report results\/r1\n\\endflushleft$/,
    )
  })

  it('has a row for each suite, if there are several', () => {
    const other = records.map((record) => ({ ...record, task: `o/${record.task}`, suite: 'other' }))
    expect(formats.latex.render(comparedReport(records))).not.toContain('suites}')
    expect(formats.latex.render(comparedReport([...records, ...other]))).toMatch(
      /\\label\{tab:results-r1-suites\}[\s\S]*?\n\{other\} & .* & \{20\} & /,
    )
  })

  it('writes a fraction of a cent with its significant digits, never as 0', () => {
    const cheap = (costUsd: number) => ({ spent: { costUsd } })
    const text = formats.latex.render(
      comparedReport([...solves('a', 8, 10, cheap(4.2e-7)), ...solves('b', 6, 10, cheap(1234.5))]),
    )
    expect(text).toMatch(/ & 0\.000000420 & 0\.000000525 & \{\{\[\}0\.00000\d+\{,\} 0\.00000\d+\{\]\}\}/)
    expect(text).toMatch(/ & 1234\.50 & 2057\.50 & /)
  })

  it('has no p-value and no verdict for simulated numbers', () => {
    const simulated = records.map((record) => ({ ...record, simulated: true }))
    const text = formats.latex.render(comparedReport(simulated, { margin: 0.05 }))
    expect(text).toContain('simulated')
    expect(text).not.toMatch(/Holm, m|better\}|not established|textless\{\} 0\.001/)
  })

  it('leaves no character of any name that LaTeX would read as a command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        for (const text of [latexText(name), latexName(name)]) {
          const rest = text
            .replaceAll('\\allowbreak{}', '')
            .replace(
              /\\(?:textbackslash|textless|textgreater|textbar|\^|~)\{\}|\{\\ttfamily\\symbol\{34\}\}/g,
              '',
            )
            .replace(/\\[{}$&#%_]|\{['`\-,?![\]]\}/g, '')
          expect(rest).toMatch(/^[A-Za-z0-9 !()*+./:;=@\u00c0-\u00ff]*$/)
        }
      }),
      { numRuns: 500 },
    )
    expect(latexText('a😀b')).toBe('aU+1F600b')
  })
})
