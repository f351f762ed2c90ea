import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { comparedReport } from '../../reports/comparison/compared-report.ts'

/** Compiles tables in a paper, with the preamble of the guide. Returns the warnings of LaTeX. */
function complaints(tables: readonly string[]): string[] {
  const folder = tempFolder()
  const papers = tables.map((text, i) => text.replaceAll('tab:', `tab:${i}-`)).join('\n\\clearpage\n')
  const paper = `\\documentclass{article}
\\usepackage[utf8]{inputenc}
\\usepackage{booktabs}
\\begin{document}
${papers}
\\end{document}
`
  writeFileSync(join(folder, 'paper.tex'), paper)
  // The second time, labels are known.
  const compile = () =>
    spawnSync('pdflatex', ['-interaction=nonstopmode', '-no-shell-escape', '-draftmode', 'paper.tex'], {
      cwd: folder,
    })
  compile()
  const { status } = compile()
  const log = readFileSync(join(folder, 'paper.log'), 'latin1')
  const found = log.match(/^(?:! .*|.*Warning: .*|(?:Over|Under)full .*|Missing character: .*)$/gm) ?? []
  return [...(status === 0 ? [] : ['failed']), ...found]
}

const names = [
  'baseline',
  'self-consistency=sequential',
  'Prüfung_100%',
  'm_1[a={x}%,b=$5&#~^\\end{tabular}|<>"\'`-- fi',
  '数学 → α',
  '[a]*collaboration:./workflows/pair_of_reviewers.yaml[iterations=3]',
]

/** Reports of the first `count` names; each passes another number of tasks, at another cost. */
const recordsOf = (count: number) =>
  names
    .slice(0, count)
    .flatMap((name, i) =>
      solves(name, 3 * i + 1, 20, { spent: { input: 12_345 * (i + 1), costUsd: 0.034 * (i + 1) } }),
    )

const { it } = needs('pdflatex')

describe('LaTeX', () => {
  it.each([2, 4, 6])('compiles tables of %i methods without a warning', { timeout: 120_000 }, (count) => {
    const records = recordsOf(count)
    const live = comparedReport(records, { margin: 0.05 })
    const simulated = comparedReport(records.map((record) => ({ ...record, simulated: true })))
    expect(
      complaints([
        formats.latex.render(live, { tasks: true }),
        formats.latex.render(live, { definitions: true }),
        formats.latex.render(simulated),
        formats.latex.render(live, {
          columns: [
            'method',
            'passed',
            'success',
            'tokens',
            'cost',
            'cost_per_success',
            'calls',
            'time',
            'missing',
          ],
        }),
      ]),
    ).toEqual([])
  })

  it('compiles names of all kinds without a warning', { timeout: 120_000 }, () => {
    const drawn = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
      numRuns: 12,
      seed: 1,
    })
    const tables = drawn.map((name, index) =>
      formats.latex.render(comparedReport([...solves(name, 3, 8), ...solves(`other ${index}`, 0, 8)])),
    )
    expect(complaints(tables)).toEqual([])
  })
})
