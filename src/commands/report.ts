import { findLabel } from '../loop/plan/method-text.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { missingSessionsNote, verifyLedger, verifyLedgerQuickly } from '../loop/record/verify-ledger.ts'
import { sectionNames } from '../reports/formats/render-parts.ts'
import { formats, type RunFormatName } from '../reports/registry.ts'
import type { RenderOptions } from '../reports/report.ts'
import { UserError } from '../text/errors.ts'
import { describeExcludedBounds } from './compare/compared-side.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import { openRun } from './open/open-run.ts'
import { writeJUnit } from './report/report-files.ts'
import { type ReportOptions, type RunReport, reportFormat } from './report/report-options.ts'
import { reportRun } from './report/report-run.ts'
import { coordinationOfRun } from './report/run-sections.ts'
import { writeOut } from './terminal/output-file.ts'
import { reportNote } from './terminal/report-error.ts'
import { terminalWidth } from './terminal/terminal-width.ts'

/**
 * `bench report RUN… --format F`: reports the results of each run and compares its methods, to stdout or into a file. With
 * svg and pdf it writes the figures, one file each.
 */
export default async function report(runs: string[], options: ReportOptions): Promise<number> {
  const format = reportFormat(options, runs)
  const texts: string[] = []
  for (const run of runs) {
    const { folder, manifest } = openRun(run)
    const labels = manifest.methods.map(({ label }) => label)
    const baseline = options.baseline === undefined ? undefined : findLabel(options.baseline, labels)
    if (options.baseline !== undefined && baseline === undefined)
      throw new UserError(
        unknownName(
          `--baseline ${options.baseline}`,
          'method of this run',
          options.baseline,
          labels,
          `bench show ${run}`,
        ),
      )
    // Reports of real models read the steps, so these must be intact.
    if (options.coordination || options.section || 'ofRun' in format || !manifest.simulated)
      verifyLedger(folder)
    else reportNote(verifyLedgerQuickly(folder))
    reportNote(missingSessionsNote(folder))
    const report = await reportRun(folder, manifest, baseline, { flips: options.flips === true })
    if (report.comparison)
      await askToLook(folder, manifest, { command: 'report', peek: options.peek === true })
    const bounds = describeExcludedBounds(report.summary.methods)
    const [because, others] = bounds ? [`: ${bounds}`, ' with other agents'] : ['', '']
    if (options.pairs && !report.comparison)
      throw new UserError({
        where: '--pairs',
        what: `${folder} has no two methods to compare${because}`,
        fix: `Leave it out, or run several methods${others}.`,
      })
    if (options.interactions && !report.comparison?.interactions)
      throw new UserError({
        where: '--interactions',
        what: `${folder} has no two methods that ran with several sets of agents each${because}`,
        fix: `Leave it out, or run methods with --agents A,B${bounds ? ' that are not bounds' : ''}.`,
      })
    if (options.properties && !report.comparison?.properties)
      throw new UserError({
        where: '--properties',
        what: `${folder} has no two methods on tasks whose stated properties differ${because}`,
        fix: 'Leave it out, or run two methods on tasks that state numbers under `properties` in task.yaml.',
      })
    const { pairs = [], methods = [] } = report.flips?.data ?? {}
    if (options.flips && pairs.length === 0 && methods.every(({ repeated }) => repeated === 0))
      throw new UserError({
        where: '--flips',
        what: `${folder} has no two methods to compare, and no method with two graded trials of a task${because}`,
        fix: `Leave it out, or run several methods${others}, or several --epochs.`,
      })
    if (report.flips && 'ofRun' in format) report.sections.push(report.flips)
    const needsCoordination = options.coordination || options.section === 'coordination'
    if (needsCoordination || ('ofRun' in format && format.ofRun === 'html')) {
      report.sections.unshift(await coordinationOfRun(folder, manifest, baseline))
    }
    requireSection(options.section, report)
    if ('ofRun' in format)
      await (await writerOf(format.ofRun))({ folder, manifest, report, format: format.ofRun, options })
    else {
      const text = formats[format.table].render(report, {
        tasks: options.tasks === true,
        definitions: options.notes === true,
        // A file is the same whichever terminal wrote it.
        ...(options.out === undefined && { width: terminalWidth() }),
        part: partOf(options),
        section: options.section,
        columns: options.columns?.split(',').map((key) => key.trim()),
      })
      texts.push(text.endsWith('\n') ? text : `${text}\n`)
    }
    if (options.junit !== undefined) {
      writeJUnit(options.junit, folder, manifest, report.summary)
    }
    if (report.comparison) reportInterimLook(folder, manifest, report.summary.records, 'report')
  }
  if ('table' in format) writeOut(texts.join(''), options.out)
  return 0
}

function requireSection(name: string | undefined, report: RunReport['report']): void {
  if (name === undefined || sectionNames(report).includes(name)) return
  const names = [...new Set([...sectionNames(report), 'coordination'])]
  throw new UserError(
    unknownName(
      `--section ${name}`,
      `section of the report of ${report.run}`,
      name,
      names,
      'bench report RUN',
    ),
  )
}

function partOf({
  pairs,
  interactions,
  properties,
  flips,
  coordination,
}: ReportOptions): RenderOptions['part'] {
  if (pairs) return 'comparison'
  if (interactions) return 'interactions'
  if (properties) return 'properties'
  if (flips) return 'flips'
  return coordination ? 'sections' : 'whole'
}

// The drawing libraries are large, so they are loaded on demand.
async function writerOf(format: RunFormatName): Promise<(report: RunReport) => Promise<void>> {
  if (format === 'html') return (await import('./report/write-page.ts')).writePage
  return (await import('./report/write-figures.ts')).writeFigures
}
