import { cutMiddle } from '../../text/shorten.ts'
import { normalise } from '../expected.ts'
import type { TestResult } from './test-job.ts'

/** What a harness reported of its tests. */
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

/** Returns the report in what a harness printed; undefined: it ended without one; `cut`: its beginning or its middle was not kept. */
export function parseReport(output: string, token: string): TestReport | 'cut' | undefined {
  const end = output.lastIndexOf(`\n${token} end\n`)
  const begin = output.lastIndexOf(`\n${token}\n`, end)
  if (end === -1) return undefined
  if (begin === -1) return 'cut'
  const report: TestReport = { results: [], unloaded: [], skipped: [], changed: [], escaped: [] }
  for (const line of output.slice(begin + token.length + 2, end).split('\n')) {
    const [kind, name = '""', message = '""'] = line.split('\t')
    if (kind === '[output cut]') return 'cut'
    if (kind === 'unfinished') report.exitedEarly = name
    else if (kind === 'stalled') report.stalled = true
    else if (kind === 'gone') report.gone = true
    else if (kind !== undefined && kind !== 'finished' && kind !== '') {
      const [known, said] = [textIn(name), textIn(message)]
      if (known === undefined || said === undefined) return 'cut'
      add(report, kind, known, cutMiddle(normalise(said)))
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

/** Returns whether a harness began, and the test that it began last. */
export function parseProgress(output: string, progress: string): { ready: boolean; last?: string } {
  const lines = output.split('\n').filter((line) => line.startsWith(`${progress} `))
  const last = lines.at(-1)?.slice(progress.length + 1)
  if (last === undefined) return { ready: false }
  // The rest of the line is the test's name in quotes, or `ready`.
  return { ready: true, ...nameIn(last) }
}

const nameIn = (line: string): { last?: string } => {
  const last = textIn(line)
  return last === undefined ? {} : { last }
}

/** Returns the text of a JSON string; undefined for another word, and for a line that a limit of output has cut. */
function textIn(line: string): string | undefined {
  try {
    return line.startsWith('"') ? (JSON.parse(line) as string) : undefined
  } catch {
    return undefined
  }
}
