import type { Comparison, Outcome } from '../../analysis/compare/comparison.ts'
import { evidenceOf } from '../../analysis/evidence.ts'
import { boundName } from '../../analysis/row.ts'
import { shellWord } from '../../text/shell-word.ts'
import { priceText } from '../claims/price.ts'
import { type ScreenRow, screenRows } from '../claims/rows.ts'
import { sureText } from '../claims/sure.ts'
import { whoText } from '../claims/who.ts'
import { profileName } from '../notes/notes.ts'
import type { Report } from '../report.ts'
import { counted, formatCount, present } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { screenWarnings } from './warnings.ts'

/** What a reader sees first: one row per method and three sentences. Plain data for the terminal, the page and CI. */
export interface FirstScreen {
  /** `4 methods on 60 tasks, 5 epochs each; live; 1,200 trials, none missing`. */
  title: string
  /** `simulated: these numbers describe profile typical, not the methods`, or whose replies were recorded; null for live numbers. */
  simulated: string | null
  /** Label of the method that the others are compared with; null: none has a trial. */
  baseline: string | null
  /** Level of every interval. */
  confidence: number
  /** What the differences are about. */
  outcome: Outcome
  /** Best first. */
  rows: ScreenRow[]
  sentences: ScreenSentence[]
  /** What a reader must know before believing the rows; one sentence each, the gravest first. */
  warnings: string[]
  /** What to type next. */
  commands: NextCommand[]
}

interface ScreenSentence {
  label: 'Who' | 'Price' | 'Sure'
  text: string
}

/** Returns the first screen of a report. Its texts hold no control characters. */
export function firstScreen(report: Report): FirstScreen {
  const { summary, comparison } = report
  const rows = screenRows(report)
  const compared = comparison?.comparison ?? null
  const sentences = [
    { label: 'Who', text: whoText(rows, compared) },
    { label: 'Price', text: priceText(rows, compared) },
    { label: 'Sure', text: sureText(report, compared) },
  ] as const
  return {
    title: safeLine(titleOf(report, compared)),
    simulated: summary.simulated
      ? safeLine(`simulated: these numbers describe ${profileName(summary)}, not the methods`)
      : report.recorded.length > 0
        ? safeLine(report.recorded.join(' ').replace(/\.$/, ''))
        : null,
    baseline: rows.find(({ isBaseline }) => isBaseline)?.method ?? null,
    confidence: summary.confidence,
    outcome: compared?.outcome ?? 'success',
    rows,
    sentences: sentences.map(({ label, text }) => ({ label, text: safeLine(text) })),
    warnings: screenWarnings(report).map(safeLine),
    commands: nextCommands(report, rows),
  }
}

function titleOf({ summary }: Report, compared: Comparison | null): string {
  const { methods, tasks, faults } = summary
  const sets = new Set(methods.flatMap(({ set }) => set ?? [])).size
  const names = sets > 1 ? new Set(methods.map(({ method }) => method)).size : methods.length
  const suites = new Set(compared?.suites.map(({ suite }) => suite)).size
  const kinds = present([
    evidenceOf(summary).name,
    compared?.calibration && 'calibration of the procedures',
    faults !== null && 'faults injected',
    methods.some(({ agents }) => boundName(agents)) && 'with bounds',
  ])
  return [
    `${counted(names, 'method')}${sets > 1 ? ` with ${counted(sets, 'set')} of agents each` : ''} on ${counted(tasks.length, 'task')}${suites > 1 ? ` of ${suites} suites` : ''}${epochsText(methods)}`,
    ...kinds,
    trialsText(summary),
  ].join('; ')
}

function epochsText(methods: Report['summary']['methods']): string {
  const run = methods.filter(({ tasks }) => tasks > 0)
  if (run.length === 0) return ''
  const min = Math.min(...run.map(({ epochs }) => epochs.min))
  const max = Math.max(...run.map(({ epochs }) => epochs.max))
  return min === max ? `, ${counted(max, 'epoch')} each` : `, ${min} to ${max} epochs`
}

function trialsText({ records, methods }: Report['summary']): string {
  const sum = (of: (row: (typeof methods)[number]) => number) =>
    methods.reduce((total, row) => total + of(row), 0)
  const missing = sum(({ trials }) => trials.error + trials.cancelled)
  const notRun = sum(({ trials }) => trials.notRun ?? 0)
  const ungraded = sum(({ trials }) => trials.ungraded)
  const open = present([
    missing > 0 && `${formatCount(missing)} missing`,
    notRun > 0 && `${formatCount(notRun)} not run`,
    ungraded > 0 && `${formatCount(ungraded)} ungraded`,
  ])
  return `${counted(records, 'trial')}, ${open.join(', ') || 'none missing'}`
}

/** A command that answers a question that the screen leaves open. */
export interface NextCommand {
  /** `two methods`. */
  what: string
  command: string
  /** The same with RUN for the run. */
  short: string
}

function nextCommands({ run, comparison, summary }: Report, rows: readonly ScreenRow[]): NextCommand[] {
  const compared = comparison?.comparison.methods ?? []
  const [first, second] = rows.filter(({ name }) => compared.some(({ label }) => label === name))
  const next = (what: string, command: (run: string) => string) => ({
    ...{ what, command: command(run), short: command('RUN') },
  })
  const side = (of: string, row: ScreenRow) => shellWord(`${of}:${sideName(row)}`)
  return present([
    next('all tables', (of) => `bench report ${shellWord(of)}`),
    next('one trial', (of) => `bench show ${shellWord(of)} TRIAL`),
    first && second && next('two methods', (of) => `bench compare ${side(of, first)} ${side(of, second)}`),
    comparison && !summary.simulated && next('how many tasks', (of) => `bench power ${shellWord(of)}`),
  ])
}

const sideName = ({ method, agents, name }: ScreenRow) => (name === method ? method : `${method}@${agents}`)
