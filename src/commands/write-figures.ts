import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { type FigureName, figures } from '../reports/figures/registry.ts'
import { figuresOf } from './figures-of.ts'
import { openPdf } from './pdf.ts'
import type { RunReport } from './report-options.ts'
import { runFileProblem } from './run-files.ts'
import { writeOut } from './write-out.ts'

/**
 * Writes a run's figures, all or the one that is named: into the folder `--out`, whose files it names on stdout, or one as
 * SVG to stdout. Throws `UserError` for a name that is none, and for PDF without the program that makes it.
 */
export async function writeFigures({
  folder,
  manifest,
  report,
  format,
  options: { out, figure },
}: RunReport): Promise<void> {
  if (figure !== undefined && !Object.hasOwn(figures, figure))
    throw new UserError(
      unknownName(`--figure ${figure}`, 'figure', figure, Object.keys(figures), 'bench report --help'),
    )
  const names = (figure === undefined ? Object.keys(figures) : [figure]) as FigureName[]
  const files = out === undefined ? [] : names.map((name) => join(out, `${name}.${format}`))
  const taken = files.flatMap((file) => runFileProblem('--out', file) ?? [])
  if (taken.length > 0) throw new UserError(taken)
  const toPdf = format === 'pdf' ? await openPdf(manifest.createdAt) : undefined
  const data = figuresOf(folder, manifest, report)
  for (const [i, name] of names.entries()) {
    const svg = figures[name](data)
    const file = files[i]
    if (file === undefined) {
      writeOut(svg, undefined)
      continue
    }
    writeOut(toPdf ? await toPdf(svg) : svg, file)
    process.stdout.write(`${file}\n`)
  }
}
