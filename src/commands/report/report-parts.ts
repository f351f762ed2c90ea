import { unknownName } from '../../loop/plan/unknown-name.ts'
import { sectionNames } from '../../reports/formats/render-parts.ts'
import type { RenderOptions, Report } from '../../reports/report.ts'
import { UserError } from '../../text/errors.ts'
import { describeExcludedBounds } from '../compare/compared-side.ts'
import type { ReportOptions } from './report-options.ts'

/** Throws `UserError` unless a report has the part that an option asks for. `folder` is the run. */
export function requireParts(options: ReportOptions, report: Report, folder: string): void {
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
}

/** Throws `UserError` unless a report has a section of this name. */
export function requireSection(name: string | undefined, report: Report): void {
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

/** Returns the part of a report that the options ask for. */
export function partOf({
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
