import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { readManifest } from '../loop/run-folder.ts'
import { type FormatName, formats } from '../reports/registry.ts'
import { findRunFolder } from './reopen.ts'
import { reportOf } from './summary-of.ts'

/** `bench report RUN… --format F`: the comparison tables of runs, one after the other, to stdout. */
export default async function report(
  runs: string[],
  options: { format: string; baseline?: string; tasks?: boolean },
): Promise<number> {
  const format = options.format as FormatName
  if (!Object.hasOwn(formats, format))
    throw new UserError(
      unknownName(`--format ${format}`, 'format', format, Object.keys(formats), 'bench report --help'),
    )
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
    const text = formats[format].render(reportOf(folder, manifest, options.baseline), {
      tasks: options.tasks === true,
    })
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }
  return 0
}
