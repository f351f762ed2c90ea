import { shorten } from '../../text/shorten.ts'
import { normalise } from '../expected.ts'
import type { TestResult } from './test-job.ts'

/** What a harness reported under its token. */
export interface TestReport {
  results: TestResult[]
  /** Test files, or the solution, that could not be loaded at all. */
  unloaded: TestResult[]
  skipped: string[]
  /** Test files that the solution changed while it ran. */
  changed: string[]
  /** Errors that no test caught (an unhandled rejection, a late exception). */
  escaped: string[]
  /** A test, or a file that was being loaded, waits for what can no longer happen. */
  stalled?: true
  /** Exit code with which the process ended before all tests had; absent when they had. */
  exitedEarly?: string
  /** The solution's own process ended, or made no sense (what it did), while the tests still wanted something of it. */
  gone?: true
  confused?: string
}

/** Reads a harness's report out of what a process printed; undefined where there is none under this token. */
export function parseReport(output: string, token: string): TestReport | undefined {
  const end = output.lastIndexOf(`\n${token} end\n`)
  const begin = output.lastIndexOf(`\n${token}\n`, end)
  if (end === -1 || begin === -1) return undefined
  const report: TestReport = { results: [], unloaded: [], skipped: [], changed: [], escaped: [] }
  for (const line of output.slice(begin + token.length + 2, end).split('\n')) {
    const [kind, name = '""', message = '""'] = line.split('\t')
    if (kind === 'unfinished') report.exitedEarly = name
    else if (kind === 'stalled') report.stalled = true
    else if (kind === 'gone') report.gone = true
    else if (kind !== undefined && kind !== 'finished' && kind !== '') {
      add(report, kind, JSON.parse(name), shorten(normalise(JSON.parse(message))))
    }
  }
  return report
}

function add(report: TestReport, kind: string, name: string, message: string): void {
  if (kind === 'passed') report.results.push({ name, ok: true, message: '' })
  if (kind === 'failed') report.results.push({ name, ok: false, message: message || 'failed' })
  if (kind === 'unloaded') {
    report.unloaded.push({ name, ok: false, message: `could not be loaded: ${message}` })
  }
  if (kind === 'skipped') report.skipped.push(name)
  if (kind === 'changed') report.changed.push(name)
  if (kind === 'escaped') report.escaped.push(message)
  if (kind === 'confused') report.confused = message
}

/** How far a harness without a report came: whether it started, and the test that began last. */
export function parseProgress(output: string, progress: string): { ready: boolean; last?: string } {
  const lines = output.split('\n').filter((line) => line.startsWith(`${progress} `))
  const last = lines.at(-1)?.slice(progress.length + 1)
  if (last === undefined) return { ready: false }
  // Behind a fixed word stands the test's name, in quotes.
  return { ready: true, ...(last.startsWith('"') ? { last: JSON.parse(last) as string } : {}) }
}
