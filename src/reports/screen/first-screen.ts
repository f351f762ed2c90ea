import type { Comparison, Outcome } from '../../analysis/compare/comparison.ts'
import { evidenceOf } from '../../analysis/evidence.ts'
import { boundName } from '../../analysis/method-row.ts'
import { shellWord } from '../../text/shell-word.ts'
import { priceText } from '../claims/price.ts'
import { type ScreenRow, screenRows } from '../claims/rows.ts'
import { pastText, sureText } from '../claims/sure.ts'
import { whoText } from '../claims/who.ts'
import type { Report } from '../report.ts'
import { methodsText } from '../tables/task-columns.ts'
import { profileText } from '../words/evidence-text.ts'
import { counted, formatCount, present } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { missingText } from './missing-trials.ts'
import { screenWarnings } from './warnings.ts'

/** What a reader sees first: one row per method and three sentences, before them the missing trials if there are any. Plain data for the terminal, the page and CI. */
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
  label: 'Errors' | 'Who' | 'Price' | 'Sure' | 'Past'
  text: string
}

/** Returns the first screen of a report. Its texts hold no control characters. */
export function firstScreen(report: Report): FirstScreen {
  const { summary, comparison } = report
  const rows = screenRows(report)
  const compared = comparison?.comparison ?? null
  const about = profileText(summary)
  const missing = missingText(summary)
  const { mark, name } = evidenceOf(summary)
  const sentences: ScreenSentence[] = present([
    missing !== '' && { label: 'Errors', text: missing },
    { label: 'Who', text: whoText(rows, compared) },
    { label: 'Price', text: priceText(rows, compared, mark) },
    { label: 'Sure', text: sureText(report, compared) },
    report.earlier.length > 0 && { label: 'Past', text: pastText(report.earlier) },
  ])
  return {
    title: safeLine(titleOf(report, compared)),
    simulated:
      about !== ''
        ? safeLine(`${name}: these numbers ${about}s`)
        : report.origin.length > 0
          ? safeLine(report.origin.join(' ').replace(/\.$/, ''))
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

/** Returns the method that leads the table: of rows with a test the first if it is better than another, else the one that passes most; null: none. */
export function leaderOf(report: Report): string | null {
  const graded = screenRows(report).filter(({ success, isBound }) => success.estimate !== null && !isBound)
  const [first, second] = graded
  const value = ({ score, success }: ScreenRow) => (score ?? success).estimate
  if (!first || !second || value(first) === value(second)) return null
  const verdicts = report.comparison?.comparison.pairs.flatMap(({ verdict }) => verdict ?? []) ?? []
  const isBetter = verdicts.some((verdict) => verdict.word === 'better' && verdict.method === first.name)
  return verdicts.length === 0 || isBetter ? first.method : null
}

function titleOf({ summary }: Report, compared: Comparison | null): string {
  const { methods, tasks, faults } = summary
  const suites = new Set(compared?.suites.map(({ suite }) => suite)).size
  const kinds = present([
    evidenceOf(summary).name,
    compared?.calibration && 'calibration of the procedures',
    faults !== null && 'faults injected',
    methods.some(({ agents }) => boundName(agents)) && 'with bounds',
  ])
  return [
    `${methodsText(methods)} on ${counted(tasks.length, 'task')}${suites > 1 ? ` of ${suites} suites` : ''}${epochsText(methods)}`,
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

function trialsText({ records, methods, absentTrials = 0, inBlocks }: Report['summary']): string {
  const sum = (of: (row: (typeof methods)[number]) => number) =>
    methods.reduce((total, row) => total + of(row), 0)
  const missing = sum(({ trials }) => trials.error + trials.cancelled)
  const notRun = sum(({ trials }) => trials.notRun ?? 0) + absentTrials
  const ungraded = sum(({ trials }) => trials.ungraded)
  const open = present([
    missing > 0 && `${formatCount(missing)} missing`,
    notRun > 0 && `${formatCount(notRun)} not ${inBlocks ? 'joined' : 'run'}`,
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
