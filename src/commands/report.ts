import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { readManifest } from '../loop/run-folder.ts'
import { formats } from '../reports/registry.ts'
import { formatOf } from './format-option.ts'
import { tellLook } from './looking.ts'
import { findRunFolder } from './reopen.ts'
import { reportOf } from './summary-of.ts'

/** `bench report RUN… --format F`: what runs came to, methods compared, one run after the other, to stdout. */
export default async function report(
  runs: string[],
  options: {
    format: string
    baseline?: string
    tasks?: boolean
    pairs?: boolean
    coordination?: boolean
  },
): Promise<number> {
  const format = formatOf(options.format, 'bench report --help')
  if (runs.length > 1 && (format === 'csv' || format === 'json'))
    throw new UserError({
      where: `--format ${format}`,
      what: 'holds one run, or no program could read it',
      fix: 'Report the runs one by one, or as text or markdown.',
    })
  for (const run of runs) {
    const folder = findRunFolder(run)
    const manifest = readManifest(folder)
    const labels = manifest.methods.map(({ label }) => label)
    if (options.baseline !== undefined && !labels.includes(options.baseline))
      throw new UserError(
        unknownName(
          `--baseline ${options.baseline}`,
          'method of this run',
          options.baseline,
          labels,
          `bench show ${run}`,
        ),
      )
    const report = await reportOf(folder, manifest, options.baseline)
    if (options.pairs && !report.comparison)
      throw new UserError({
        where: '--pairs',
        what: `${folder} has no two methods to compare`,
        fix: 'Leave it out, or run several methods.',
      })
    if (options.coordination) {
      const { coordinationOfRun } = await import('./coordination-of.ts')
      report.sections.unshift(coordinationOfRun(folder, manifest, options.baseline))
    }
    const text = formats[format].render(report, {
      tasks: options.tasks === true,
      part: options.pairs ? 'comparison' : options.coordination ? 'sections' : 'whole',
    })
    if (report.comparison) tellLook(folder, manifest, report.summary.records, 'report')
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }
  return 0
}
