import { findLabel } from '../loop/plan/method-text.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { missingSessionsNote, verifyLedger, verifyLedgerQuickly } from '../loop/record/verify-ledger.ts'
import { formats, type RunFormatName } from '../reports/registry.ts'
import { leaderOf } from '../reports/screen/first-screen.ts'
import { UserError } from '../text/errors.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import { openRun } from './open/open-run.ts'
import { noteUnjoined, requireJoined } from './open/require-joined.ts'
import { writeJUnit } from './report/report-files.ts'
import {
  appendixFile,
  type ReportOptions,
  type RunReport,
  reportFormat,
  tableChoice,
} from './report/report-options.ts'
import { partOf, requireParts, requireSection } from './report/report-parts.ts'
import { reportRun } from './report/report-run.ts'
import { coordinationOfRun } from './report/run-sections.ts'
import { writeOut } from './terminal/output-file.ts'
import { printReport } from './terminal/print-report.ts'
import { reportNote } from './terminal/report-error.ts'
import { terminalWidth } from './terminal/terminal-width.ts'

/**
 * `bench report RUN… --format F`: reports the results of each run and compares its methods, to stdout or into a file. With
 * svg and pdf it writes the figures, one file each.
 */
export default async function report(runs: string[], options: ReportOptions): Promise<number> {
  const format = reportFormat(options, runs)
  const texts: string[] = []
  const appendix = appendixFile(options)
  const furtherTexts: string[] = []
  let leader: string | null = null
  const opened = runs.map((run) => ({ run, ...openRun(run) }))
  requireJoined(`bench report ${runs.join(' ')}`, opened)
  for (const { run, folder, manifest } of opened) {
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
    reportNote(missingSessionsNote(folder, manifest))
    noteUnjoined(folder)
    const report = await reportRun(folder, manifest, baseline, { flips: options.flips === true })
    if (report.comparison)
      await askToLook(folder, manifest, { command: 'report', peek: options.peek === true })
    requireParts(options, report, folder)
    if (report.flips && 'ofRun' in format) report.sections.push(report.flips)
    const needsCoordination = options.coordination || options.section === 'coordination'
    if (needsCoordination || ('ofRun' in format && format.ofRun === 'html')) {
      report.sections.unshift(await coordinationOfRun(folder, manifest, baseline))
    }
    requireSection(options.section, report)
    if ('ofRun' in format)
      await (await writerOf(format.ofRun))({ folder, manifest, report, format: format.ofRun, options })
    else {
      const render = (tables = tableChoice(options)) =>
        formats[format.table].render(report, {
          tasks: options.tasks === true,
          definitions: options.notes === true,
          // A file is the same whichever terminal wrote it.
          ...(options.out === undefined && { width: terminalWidth() }),
          part: partOf(options),
          section: options.section,
          columns: options.columns?.split(',').map((key) => key.trim()),
          tables,
        })
      const text = render()
      if (runs.length === 1 && partOf(options) === 'whole') leader = leaderOf(report)
      texts.push(text.endsWith('\n') ? text : `${text}\n`)
      const further = appendix === undefined ? '' : render('appendix')
      if (further.includes('\\begin{table')) furtherTexts.push(further)
    }
    if (options.junit !== undefined) {
      writeJUnit(options.junit, folder, manifest, report.summary)
    }
    if (report.comparison) reportInterimLook(folder, manifest, report.summary.records, 'report')
  }
  if ('table' in format && format.table === 'text' && options.out === undefined)
    printReport(texts.join(''), leader)
  else if ('table' in format) writeOut(texts.join(''), options.out)
  if (furtherTexts.length > 0) {
    writeOut(furtherTexts.join(''), appendix)
    reportNote(`the other tables are in ${appendix}`)
  }
  return 0
}

// The drawing libraries are large, so they are loaded on demand.
async function writerOf(format: RunFormatName): Promise<(report: RunReport) => Promise<void>> {
  if (format === 'html') return (await import('./report/write-page.ts')).writePage
  return (await import('./report/write-figures.ts')).writeFigures
}
