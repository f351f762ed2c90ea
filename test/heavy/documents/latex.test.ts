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

/** Compiles tables in a paper. Returns the warnings of LaTeX. */
function complaints(tables: string): string[] {
  const folder = tempFolder()
  const paper = `\\documentclass{article}
\\usepackage[utf8]{inputenc}
\\usepackage{adjustbox,array,booktabs,siunitx}
\\begin{document}
${tables}
\\end{document}
`
  writeFileSync(join(folder, 'paper.tex'), paper)
  // The second time, labels are known.
  const compile = () =>
    spawnSync('pdflatex', ['-interaction=nonstopmode', '-no-shell-escape', 'paper.tex'], { cwd: folder })
  compile()
  const { status } = compile()
  const log = readFileSync(join(folder, 'paper.log'), 'latin1')
  const found = log.match(/^(?:! .*|.*Warning: .*|(?:Over|Under)full .*|Missing character: .*)$/gm) ?? []
  return [...(status === 0 ? [] : ['failed']), ...found]
}

const nasty = 'm_1[a={x}%,b=$5&#~^\\end{tabular}|<>"\'`-- fi'
const records = [...solves(nasty, 18, 20), ...solves('b', 6, 20, { spent: { input: 200, costUsd: 0.2 } })]

describe('LaTeX', () => {
  needs('pdflatex').it(
    'compiles without a warning, names of all kinds included',
    { timeout: 120_000 },
    () => {
      const drawn = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
        numRuns: 12,
        seed: 1,
      })
      const tables = [
        formats.latex.render(comparedReport(records, { margin: 0.05 })),
        formats.latex.render(comparedReport(records.map((record) => ({ ...record, simulated: true })))),
        ...drawn.map((name, index) => {
          const named = [...solves(name, 3, 8), ...solves(`other ${index}`, 0, 8)]
          return formats.latex.render(comparedReport(named)).replaceAll('tab:', `tab:${index}-`)
        }),
      ]
      const [first, second, ...others] = tables
      expect(complaints(`${first}\n\\clearpage\n${second?.replaceAll('tab:', 'tab:s-')}`)).toEqual([])
      expect(complaints(others.join('\n\\clearpage\n'))).toEqual([])
    },
  )
})
