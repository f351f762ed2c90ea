import { XMLBuilder } from 'fast-xml-parser'
import { evidence } from '../../analysis/evidence.ts'
import type { GateAnswer } from '../../analysis/gates/check-limit.ts'
import type { Summary } from '../../analysis/summary.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shellWord } from '../../text/shell-word.ts'
import {
  checkText,
  type GateReport,
  gateAnswer,
  gateTitle,
  meanTexts,
  pairNotes,
} from '../gates/gate-report.ts'
import { profileText } from '../words/evidence-text.ts'
import { present } from '../words/numbers.ts'
import { reasonText, safeLine, safeText } from '../words/safe-text.ts'

interface JUnitRun {
  /** The run folder, as a path that the reader can type. */
  run: string
  createdAt: string
  /** Summary of the same records: a JUnit file begins with the counts. */
  summary: Summary
  /** How the plan was changed during the run; null or absent if it was not. */
  amended?: string | null
}

const attribute = '@'
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: attribute,
  format: true,
  suppressEmptyNode: true,
})

/**
 * Renders the trials of a run as a JUnit file, in pieces, so that a run may have any length: one testcase per trial, with a
 * failure if it did not pass, an error if infrastructure failed, skipped if it was not graded. Times are the trial clocks, in
 * seconds. Elements and attributes are those of Jenkins' junit-10.xsd.
 */
export function* renderJUnit(
  records: Iterable<TrialRecord>,
  { run, createdAt, summary, amended = null }: JUnitRun,
): Generator<string> {
  const counted = (count: (row: Summary['methods'][number]) => number) =>
    summary.methods.reduce((sum, row) => sum + count(row), 0)
  const suite = attributes({
    name: run,
    tests: summary.records,
    failures: counted(({ trials }) => trials.graded - trials.passed),
    errors: counted(({ trials }) => trials.error),
    skipped: counted(({ trials }) => trials.cancelled + trials.ungraded),
    // The schema has no time zone and no fractions.
    timestamp: createdAt.slice(0, 19),
  })
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${openingTag('testsuite', suite)}`
  yield builder.build({
    properties: {
      property: [...properties(summary), ...changedProperty(amended)].map(([name, value]) =>
        attributes({ name, value }),
      ),
    },
  })
  for (const record of records) yield builder.build({ testcase: testcase(record, run) })
  yield '</testsuite>\n</testsuites>\n'
}

function properties({ simulated, recorded, profiles, faults }: Summary): [string, string][] {
  return present([
    ['simulated', simulated ? `yes: the results ${profileText({ simulated, profiles })}s` : 'no'],
    recorded &&
      ([evidence.recorded.name, 'yes: the replies are given again, and their time is unknown'] as [
        string,
        string,
      ]),
    faults !== null && (['faults on purpose', faults] as [string, string]),
  ])
}

const changedProperty = (amended: string | null): [string, string][] =>
  amended === null ? [] : [['changed during the run', amended]]

function testcase(record: TrialRecord, run: string): object {
  const { task, method, epoch, durationMs } = record
  const name = `${method}, epoch ${epoch}`
  return {
    ...attributes({
      ...{ name, classname: task },
      ...(durationMs !== null && { time: (durationMs / 1000).toFixed(3) }),
    }),
    ...ending(record, run),
  }
}

function ending(record: TrialRecord, run: string): object {
  const { outcome, passed, scores, trial } = record
  const trace = `bench show ${shellWord(run)} ${trial}`
  const ended = outcome.reason === '' ? outcome.status : `${outcome.status}: ${reasonText(record)}`
  if (outcome.status === 'error')
    return {
      error: { ...attributes({ message: ended, type: 'error' }), '#text': text(`${ended}\n${trace}`) },
    }
  if (passed === null) return { skipped: attributes({ message: `not graded; ${ended}` }) }
  if (passed) return {}
  const judged = scores.map(({ name, value, reason }) => `${name} ${value}: ${reason}`)
  const [first = ended] = scores.filter(({ value }) => value < 1).map(({ reason }) => reason)
  return {
    failure: {
      ...attributes({ message: first, type: outcome.status }),
      '#text': text([...judged, `ended as ${ended}`, trace].join('\n')),
    },
  }
}

/**
 * Renders the answers of gates as a JUnit file: one testcase per gate, with a failure if it fails, skipped if there is not enough
 * evidence. Properties have the means of both methods: outcomes, cost and what else is limited.
 */
export function renderGateJUnit(report: GateReport): string {
  const { source, gates } = report
  const count = (answer: GateAnswer) => gates.filter((gate) => gate.answer === answer).length
  const suite = attributes({
    ...{ name: source, tests: gates.length, failures: count('fail'), errors: 0 },
    skipped: count('not-enough-evidence'),
  })
  const property = [...new Map(gates.flatMap(meanTexts))].map(([name, value]) => attributes({ name, value }))
  const cases = gates.map((gate) => {
    const lines = gate.checks.map(checkText)
    // Two gates of one method may have other tasks, so each has its own means.
    const means = meanTexts(gate).map((parts) => parts.join(' '))
    const message = attributes({ message: `${gateAnswer(gate)}: ${lines.join(' | ')}`, type: gate.answer })
    return {
      ...attributes({ name: gateTitle(gate), classname: source }),
      ...(gate.answer === 'fail' && { failure: message }),
      ...(gate.answer === 'not-enough-evidence' && { skipped: message }),
      'system-out': text([...lines, ...means, ...pairNotes(gate)].join('\n')),
    }
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({
    testsuites: { testsuite: { ...suite, properties: { property }, testcase: cases } },
  })}`
}

function attributes(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${attribute}${name}`,
      replaceInvalidXml(safeLine(String(value))),
    ]),
  )
}

function openingTag(name: string, values: Record<string, string>): string {
  return builder.build({ [name]: values }).replace(/\s*\/>\s*$|><\/\w+>\s*$/, '>\n')
}

const text = (value: string) => replaceInvalidXml(safeText(value))

/** Replaces lone surrogates and the two non-characters, which XML 1.0 forbids in any form. */
const replaceInvalidXml = (value: string) => value.replace(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
