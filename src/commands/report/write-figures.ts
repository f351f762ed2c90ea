import { join } from 'node:path'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type FigureName, figures } from '../../reports/figures/registry.ts'
import { runTool, withoutSecrets } from '../../sandbox/machine/run-tool.ts'
import { findTool } from '../../sandbox/tools/tools.ts'
import { InfrastructureError, UserError } from '../../text/errors.ts'
import { runFileProblem, writeOut } from '../terminal/output-file.ts'
import { readFigureData } from './read-figure-data.ts'
import type { RunReport } from './report-options.ts'

/**
 * Writes all figures of a run, or the one that `--figure` names, into the folder `--out`, and prints their paths. Without
 * `--out` it writes one SVG to stdout. Throws `UserError` for an unknown figure, and for PDF if rsvg-convert is missing.
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
  const data = readFigureData(folder, manifest, report)
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

/**
 * Returns a function that converts SVG to PDF by rsvg-convert, with vectors and fonts. The PDF carries `date` (ISO), so that
 * equal figures give equal files. Throws `UserError` if the program is missing.
 */
async function openPdf(date: string): Promise<(svg: string) => Promise<Uint8Array>> {
  const tool = await findTool('rsvg-convert')
  if (!tool.found)
    throw new UserError({
      where: '--format pdf',
      what: 'requires rsvg-convert, which is not installed',
      fix: `${tool.remedy} Or use --format svg.`,
    })
  const env = { ...withoutSecrets(), SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(date) / 1000)) }
  // One character per byte.
  const asBytes = { encoding: 'latin1', stripFinalNewline: false } as const
  return async (svg) => {
    const options = { env, input: svg, timeout: 60_000, ...asBytes }
    const { failed, stdout, stderr, shortMessage } = await runTool(tool.path, ['--format', 'pdf'], options)
    if (failed) throw new InfrastructureError(`rsvg-convert: ${stderr.trim() || shortMessage}`)
    return Buffer.from(stdout, 'latin1')
  }
}
