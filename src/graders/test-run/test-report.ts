import { shorten } from '../../text/shorten.ts'
import { normalise } from '../expected.ts'
import type { TestResult } from './test-job.ts'

/** The report that a harness printed under its token. */
export interface TestReport {
  results: TestResult[]
  /** Test files, or the solution, that could not be loaded. */
  unloaded: TestResult[]
  skipped: string[]
  /** Test files that the solution changed while it ran. */
  changed: string[]
  /** Errors outside of every test (an unhandled rejection, a late exception). */
  escaped: string[]
  /** A test, or a file during its import, waits although nothing is left to do in the process. */
  stalled?: true
  /** The exit code of a process that ended before its tests had ended. */
  exitedEarly?: string
  /** The solution's process ended (`gone`), or sent something invalid (`confused`), while a test waited for it. */
  gone?: true
  confused?: string
}

/** Parses a harness's report in the output of a process; undefined if there is none under this token. */
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

/** Parses the progress of a harness: whether it started, and the test that began last. */
export function parseProgress(output: string, progress: string): { ready: boolean; last?: string } {
  const lines = output.split('\n').filter((line) => line.startsWith(`${progress} `))
  const last = lines.at(-1)?.slice(progress.length + 1)
  if (last === undefined) return { ready: false }
  // The rest of the line is the test's name in quotes, or `ready`.
  return { ready: true, ...(last.startsWith('"') ? { last: JSON.parse(last) as string } : {}) }
}
