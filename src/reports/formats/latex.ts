import type { Comparison } from '../../analysis/compare/comparison.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { ComparisonReport } from '../comparison/comparison-report.ts'
import { marginText } from '../comparison/pair-columns.ts'
import type { RenderOptions, Report } from '../report.ts'
import { chooseColumns, type Note, type Table } from '../tables/table.ts'
import { counted } from '../words/numbers.ts'
import { methodColumns, plainColumns, usualMethodColumns } from './latex-columns.ts'
import { latexNotes } from './latex-notes.ts'
import {
  interactionColumns,
  pairColumns,
  propertyColumns,
  spendingColumns,
  spreadColumns,
  suiteColumns,
} from './latex-pair-columns.ts'
import { latexTable } from './latex-table.ts'

/**
 * Renders tables for `\input` in a paper: booktabs lines, short captions, and a few notes, the last of which has the command
 * that makes them again. Needs the package booktabs. Throws `UserError` for a column that does not exist.
 */
export function renderLatex(report: Report, options: RenderOptions = {}): string {
  return `${[preamble, ...tablesOf(report, options), notesOf(report, options)].join('\n\n')}\n`
}

const preamble = '% Needs \\usepackage[utf8]{inputenc} and \\usepackage{booktabs}.'

function tablesOf(report: Report, { part = 'whole', tasks = false, columns }: RenderOptions): string[] {
  const { comparison, sections } = report
  const run = labelOf(report.run)
  if (columns)
    return [
      part === 'comparison' && comparison
        ? pairTable(comparison, run, columns)
        : methodTable(report, run, columns),
    ]
  const measured = sections.flatMap(({ name, tables }) =>
    tables.map((table, i) => plainTable(table, `${run}-${name}-${i + 1}`)),
  )
  if (part === 'sections') return measured
  if (part === 'interactions' && comparison?.interactions) return interactionTable(comparison, run)
  if (part === 'properties' && comparison?.properties) return propertyTable(comparison, run)
  const compared = comparison ? comparisonTables(comparison, run) : []
  if (part === 'comparison' && comparison) return compared
  return [
    methodTable(report, run),
    ...(tasks ? [plainTable(report.tasks, `${run}-tasks`)] : []),
    ...compared,
    ...measured,
  ]
}

function comparisonTables(report: ComparisonReport, run: string): string[] {
  const { comparison } = report
  const marks = marksOf(comparison)
  const spread = spreadColumns(comparison)
  return [
    pairTable(report, run),
    ...interactionTable(report, run),
    latexTable(
      { caption: `Spending of each method relative to the other${marks}`, label: `${run}-spending` },
      spendingColumns(comparison),
      comparison.pairs,
    ),
    ...(spread.length > 0
      ? [
          latexTable(
            {
              caption: `Variation between tasks, and between epochs of a task, in points${marks}`,
              label: `${run}-spread`,
            },
            spread,
            comparison.methods,
          ),
        ]
      : []),
    ...(comparison.suites.length > 0
      ? [
          latexTable(
            { caption: `Differences in ${comparison.outcome} by suite${marks}`, label: `${run}-suites` },
            suiteColumns(comparison),
            comparison.suites,
          ),
        ]
      : []),
    ...propertyTable(report, run),
  ]
}

/** Returns the name of a run in labels: its folder, without `results/`. */
const labelOf = (run: string) =>
  run
    .replace(/^(?:\.\/)?results\//, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function methodTable({ summary }: Report, run: string, chosen?: readonly string[]): string {
  const all = methodColumns(summary)
  return latexTable(
    {
      caption: `Success and cost of ${counted(summary.methods.length, 'method')} on ${counted(summary.tasks.length, 'task')}${marksOf(summary)}`,
      label: `${run}-methods`,
    },
    chosen ? chooseColumns(all, chosen).map(keep) : chooseColumns(all, usualMethodColumns(summary)),
    summary.methods,
  )
}

function pairTable({ comparison }: ComparisonReport, run: string, chosen?: readonly string[]): string {
  const { outcome, tasks, margin } = comparison
  const all = pairColumns(comparison)
  const within = margin === null ? '' : `, margin ${marginText(margin)}`
  return latexTable(
    {
      caption: `Differences in ${outcome} on ${counted(tasks.length, 'task')}${within}${marksOf(comparison)}`,
      label: `${run}-pairs`,
    },
    chosen ? chooseColumns(all, chosen).map(keep) : all,
    comparison.pairs,
  )
}

/** A column that was chosen is never left out. */
const keep = <Column extends { optional?: boolean }>(column: Column): Column => ({
  ...column,
  optional: false,
})

function interactionTable({ comparison, interactions }: ComparisonReport, run: string): string[] {
  if (!interactions) return []
  return [
    latexTable(
      { caption: interactions.title, label: `${run}-interactions` },
      interactionColumns(comparison),
      comparison.interactions,
    ),
  ]
}

function propertyTable({ comparison, properties }: ComparisonReport, run: string): string[] {
  if (!properties) return []
  return [
    latexTable(
      { caption: properties.title, label: `${run}-properties` },
      propertyColumns(comparison),
      comparison.byProperty ?? [],
    ),
  ]
}

/** Renders a table with its columns for people. */
const plainTable = (table: Table, label: string): string =>
  latexTable({ caption: table.title, label }, plainColumns(table), table.rows)

function marksOf({
  simulated,
  calibration = false,
  faults,
}: Pick<Comparison, 'simulated' | 'faults'> & { calibration?: boolean }): string {
  const marks = [
    ...(simulated ? ['simulated'] : []),
    ...(calibration ? ['calibration of the procedures'] : []),
    ...(faults === null ? [] : ['faults injected']),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

function notesOf(
  report: Report,
  { part = 'whole', definitions = false, columns = [] }: RenderOptions,
): string {
  const { comparison, methods, sections } = report
  const own = methods.notes.slice(0, -1)
  const compared = comparison?.notes.slice(0, -1) ?? own
  const measured = sections.flatMap(({ notes }) => notes)
  const parts: Record<NonNullable<RenderOptions['part']>, readonly Note[]> = {
    sections: measured,
    interactions: comparison?.interactions?.notes.slice(0, -1) ?? [],
    properties: comparison?.properties?.notes.slice(0, -1) ?? [],
    comparison: compared,
    short: compared,
    whole: [...own, ...measured, ...(comparison ? compared : [])],
  }
  const chosen = columns.length > 0 ? ` --columns ${columns.join(',')}` : ''
  const command = `${comparison?.facts.command ?? `bench report ${shellWord(report.run)}`} --format latex${chosen}`
  return latexNotes(report, { notes: parts[part], all: definitions, command })
}
