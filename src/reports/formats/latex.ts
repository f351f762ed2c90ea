import { basename } from 'node:path'
import type { Summary } from '../../analysis/summary.ts'
import { shellWord } from '../../text/shell-word.ts'
import { choiceColumns, choiceTitle } from '../comparison/choice-columns.ts'
import type { ComparisonReport } from '../comparison/comparison-report.ts'
import { spreadColumns } from '../comparison/method-tables.ts'
import { pairColumns } from '../comparison/pair-columns.ts'
import { interactionColumns, propertyColumns, spendingColumns } from '../comparison/pair-tables.ts'
import { suitePaper } from '../comparison/suite-columns.ts'
import type { RenderOptions, Report } from '../report.ts'
import { firstScreen } from '../screen/first-screen.ts'
import { hasPartialScores, methodColumns } from '../tables/method-columns.ts'
import type { PaperColumn } from '../tables/paper-columns.ts'
import { chooseColumns, type Note, paperColumns, type Table } from '../tables/table.ts'
import { marginText } from '../words/claim-words.ts'
import { marksOf } from '../words/evidence-text.ts'
import { capitalised, counted, present } from '../words/numbers.ts'
import { latexNotes } from './latex-notes.ts'
import { latexTable } from './latex-table.ts'

/**
 * Renders tables for `\input` in a paper: booktabs lines, short captions, and a few notes, the last of which has the command
 * that makes them again. Needs the package booktabs. Throws `UserError` for a column that does not exist.
 */
export function renderLatex(report: Report, options: RenderOptions = {}): string {
  const tables = tablesOf(report, options).filter((table) => isWanted(table, labelOf(report.run), options))
  return `${[preamble, ...tables, notesOf(report, options)].join('\n\n')}\n`
}

/** The tables of which a paper tells its result. */
const inPaper = ['methods', 'pairs', 'spending']

const isWanted = (table: string, run: string, { tables }: RenderOptions): boolean =>
  tables === undefined ||
  inPaper.some((name) => table.includes(`{tab:${run}-${name}}`)) === (tables === 'paper')

const preamble = '% Needs \\usepackage[utf8]{inputenc} and \\usepackage{booktabs}.'

function tablesOf(report: Report, { part = 'whole', tasks = false, columns }: RenderOptions): string[] {
  const { comparison, sections, flips } = report
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
  if (part === 'flips' && flips)
    return flips.tables.map((table, i) => plainTable(table, `${run}-flips-${i + 1}`))
  if (part === 'interactions' && comparison?.interactions) return interactionTable(comparison, run)
  if (part === 'properties' && comparison?.properties) return propertyTable(comparison, run)
  const compared = comparison ? comparisonTables(comparison, run) : []
  if (part === 'comparison' && comparison) return compared
  return present([
    methodTable(report, run),
    tasks && plainTable(report.tasks, `${run}-tasks`),
    ...compared,
    ...measured,
  ])
}

function comparisonTables(report: ComparisonReport, run: string): string[] {
  const { comparison } = report
  const { outcome, pairs, methods, suites, choices = [] } = comparison
  const marks = marksOf(comparison)
  const hasSpread = methods.some(({ variance, reliability }) => variance.between !== null || reliability)
  const table = <Row>(
    name: string,
    caption: string,
    columns: readonly PaperColumn<Row>[],
    rows: readonly Row[],
  ) => latexTable({ caption: `${caption}${marks}`, label: `${run}-${name}` }, columns, rows)
  const spending = 'Spending of each method relative to the other'
  const spread = 'Variation between tasks, and between epochs of a task, in points'
  return present([
    pairTable(report, run),
    ...interactionTable(report, run),
    table('spending', spending, paperColumns(spendingColumns(comparison)), pairs),
    hasSpread && table('spread', spread, paperColumns(spreadColumns(comparison)), methods),
    suites.length > 0 &&
      table('suites', `Differences in ${outcome} by suite`, suitePaper(comparison), suites),
    ...propertyTable(report, run),
    choices.length > 0 &&
      table('choices', choiceTitle(outcome), paperColumns(choiceColumns(comparison)), choices),
  ])
}

/** Returns the name of a run in labels: that of its folder alone, for a paper tells nothing of a machine. */
const labelOf = (run: string) =>
  basename(run)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function methodTable({ summary }: Report, run: string, chosen?: readonly string[]): string {
  const all = paperColumns(methodColumns(summary, null))
  return latexTable(
    {
      caption: `Success and cost of ${counted(summary.methods.length, 'method')} on ${counted(summary.tasks.length, 'task')}${marksOf(summary)}`,
      label: `${run}-methods`,
    },
    chosen ? keepColumns(all, chosen) : chooseColumns(all, usualColumns(summary)),
    summary.methods,
  )
}

function usualColumns(summary: Summary): string[] {
  const isCached = summary.methods.some(
    ({ cost, listCost }) => cost.perTrial.value !== listCost.perTrial.value,
  )
  const score = hasPartialScores(summary) && 'score'
  return present(['method', 'success', score, 'tokens', 'cost', isCached && 'list_cost', 'cost_per_success'])
}

function pairTable({ comparison }: ComparisonReport, run: string, chosen?: readonly string[]): string {
  const { outcome, tasks, margin } = comparison
  const all = paperColumns(pairColumns(comparison))
  const within = margin === null ? '' : `, margin ${marginText(margin)}`
  return latexTable(
    {
      caption: `Differences in ${outcome} on ${counted(tasks.length, 'task')}${within}${marksOf(comparison)}`,
      label: `${run}-pairs`,
    },
    chosen ? keepColumns(all, chosen) : all,
    comparison.pairs,
  )
}

/** A column that was chosen is never left out. */
const keepColumns = <Row>(all: readonly PaperColumn<Row>[], chosen: readonly string[]): PaperColumn<Row>[] =>
  chooseColumns(all, chosen).map((column) => ({ ...column, optional: false }))

const interactionTable = ({ comparison, interactions }: ComparisonReport, run: string): string[] =>
  interactions
    ? [
        latexTable(
          { caption: interactions.title, label: `${run}-interactions` },
          paperColumns(interactionColumns(comparison)),
          comparison.interactions,
        ),
      ]
    : []

const propertyTable = ({ comparison, properties }: ComparisonReport, run: string): string[] =>
  properties
    ? [
        latexTable(
          { caption: properties.title, label: `${run}-properties` },
          paperColumns(propertyColumns(comparison)),
          comparison.byProperty ?? [],
        ),
      ]
    : []

const plainTable = (table: Table, label: string): string =>
  latexTable({ caption: table.title, label }, plainColumns(table), table.rows)

/** What all numbers of a table are, such as simulated, is in its title. */
const plainColumns = ({ columns }: Table): PaperColumn<Table['rows'][number]>[] =>
  columns
    .filter(({ audience, key }) => audience !== 'data' && key !== 'simulated' && key !== 'faults')
    .map(({ key, heading, unit, align }) => ({
      ...{ key, heading: capitalised(heading), unit },
      kind: align === 'left' ? 'name' : 'number',
      cell: (row) => row[key]?.text ?? '',
    }))

function notesOf(
  report: Report,
  { part = 'whole', definitions = false, columns = [], tables }: RenderOptions,
): string {
  const { comparison, methods, sections } = report
  const own = methods.notes.slice(0, -1)
  const compared = comparison?.notes.slice(0, -1) ?? own
  const measured = sections.flatMap(({ notes }) => notes)
  const said = firstScreen(report).sentences.map(({ label, text }): Note => ({ text: `${label}: ${text}` }))
  const parts: Record<NonNullable<RenderOptions['part']>, readonly Note[]> = {
    sections: measured,
    flips: report.flips?.notes ?? [],
    interactions: comparison?.interactions?.notes.slice(0, -1) ?? [],
    properties: comparison?.properties?.notes.slice(0, -1) ?? [],
    comparison: compared,
    short: [...compared, ...said],
    whole: [...own, ...measured, ...(comparison ? compared : []), ...said],
  }
  const chosen = columns.length > 0 ? ` --columns ${columns.join(',')}` : ''
  const command = `${comparison?.facts.command ?? `bench report ${shellWord(report.run)}`} --format latex${tables === undefined ? '' : ` --tables ${tables}`}${part === 'flips' ? ' --flips' : chosen}`
  return latexNotes(report, { notes: parts[part], all: definitions, command })
}
