import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { packageRoot } from '../../base/package-root.ts'
import type { SandboxCommand, SandboxProgram, SandboxResult } from '../../sandbox/sandbox.ts'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { cutMiddle } from '../../text/shorten.ts'
import { normalise } from '../expected.ts'
import { harnessFolder, isPackage, isSecret, type TestJob, type TestRun, testTexts } from './test-job.ts'
import { parseProgress, parseReport, type TestReport } from './test-report.ts'

const gap = '…'

/** What pytest, Jest, Vitest and node:test print before a line of source: a mark, a number, a bar. */
const frame = /^\s*(?:>\s*)?\d+\s*\||^\s*>\s/
const position = / \([^()]*:\d+(?::\d+)?\)$/
const marks = /^[\s|]*[~^][~^\s]*$/
/** After this, node:assert prints the expression of the test. */
const beforeExpression = 'expression evaluated to a falsy value:'

/**
 * Returns a function that removes source lines of hidden tests from what a test printed or threw. Values, names of tests and positions
 * stay, since a reader needs them to understand a failure. A line that is no code by itself (a quoted text, a number) is a value.
 */
export function sourceHider(tests: Files): (text: string) => string {
  const sources = Object.values(tests).map((source) => source.split('\n').map(bare))
  const known = new Set(sources.flat())
  const whole = sources.map((lines) => lines.join('\n')).join('\n')
  return (text) => hideLines(text, known, (part) => whole.includes(part))
}

function hideLines(text: string, known: ReadonlySet<string>, isPart: (text: string) => boolean): string {
  const shown: string[] = []
  let last: 'shown' | 'hidden' | 'expression' = 'shown'
  for (const line of text.split('\n')) {
    const place = position.exec(line)?.[0] ?? ''
    const content = bare(line.slice(0, line.length - place.length).replace(frame, ''))
    const isExpression: boolean = last === 'expression' && content !== '' && isPart(content)
    // A statement may go on in lines that look like values.
    const isSource: boolean =
      known.has(content) && (isCode(content) || frame.test(line) || (last === 'hidden' && content !== ''))
    const isHidden: boolean = isExpression || isSource || (last !== 'shown' && marks.test(line))
    if (!isHidden) shown.push(line)
    else if (place !== '' || shown.at(-1)?.trim() !== gap) shown.push(`  ${gap}${place}`)
    const begins: boolean = !isHidden && line.includes(beforeExpression)
    last = begins || isExpression ? 'expression' : isHidden ? 'hidden' : 'shown'
  }
  return shown.join('\n')
}

/** Printed lines are indented otherwise, and without types they have other spaces. */
const bare = (line: string) => line.replace(/\s+/g, '')

const isCode = (line: string) => /^[\p{L}_$@(.]/u.test(line) && /[(=]|^assert/.test(line)

/** A harness program and its input. */
export interface HarnessCall {
  files: Files
  command: readonly string[]
  /** Returns the text of the file `job`, which contains this run's secrets. The program reads and removes it first. */
  job(secrets: { token: string; progress: string }): string
  /** The process of the solution, if it is not the same. */
  peer?: SandboxProgram
  peerStdin?: SandboxCommand['peerStdin']
  maxOutputBytes?: number
}

/** Why results of tests do not count, where tests and what they print are more than a sandbox keeps. */
export const tooMuchOutput = 'more was printed than is kept, so the results of tests cannot be read'

/** Runs a harness on a job and reads its report. Throws `InfrastructureError` if the harness did not start. */
export async function runHarness(job: TestJob, call: HarnessCall): Promise<TestRun> {
  const secrets = { token: randomUUID(), progress: randomUUID() }
  const command: SandboxCommand = {
    files: { ...call.files, [`${harnessFolder}/job`]: call.job(secrets) },
    command: call.command,
    standalone: true,
    ...(call.peer && {
      peer: { ...call.peer, standalone: true },
      ...(call.peerStdin && { peerStdin: call.peerStdin }),
    }),
    ...(call.maxOutputBytes !== undefined && { maxOutputBytes: call.maxOutputBytes }),
    timeoutMs: job.spec.timeoutMs,
    signal: job.signal,
  }
  const result = await job.run(command)
  const report = parseReport(result.stderr, secrets.token)
  const progress = parseProgress(result.stderr, secrets.progress)
  if (!progress.ready && !report && !result.truncated) {
    throw new InfrastructureError(
      `the test harness did not start (${job.task.ref}, ${call.command[0]}): ${cutMiddle(result.stderr.trim()) || describeEnd(result)}`,
    )
  }
  if (report === 'cut') return { results: [], ran: 0, fault: tooMuchOutput }
  if (!report) return { results: [], ran: 0, fault: withTest(describeEnd(result), progress.last) }
  const run = judge(report, progress.last, result)
  return isSecret(job) ? withoutSource(run, job, call.files) : run
}

function withoutSource(run: TestRun, job: TestJob, files: Files): TestRun {
  const own = Object.entries(testTexts(job)).filter(([path]) => !isPackage(path))
  const written = Object.fromEntries(own)
  const ran = Object.keys(written).map((path) => [`as run: ${path}`, files[path] ?? ''])
  const hide = sourceHider({ ...written, ...Object.fromEntries(ran) })
  const results = run.results.map((one) => (one.ok ? one : { ...one, message: hide(one.message) }))
  return { ...run, results }
}

function judge(report: TestReport, lastTest: string | undefined, result: SandboxResult): TestRun {
  const run: TestRun = { results: [...report.unloaded, ...report.results], ran: report.results.length }
  if (report.changed.length > 0) return { ...run, fault: `the solution changed ${list(report.changed)}` }
  if (report.exitedEarly !== undefined)
    return { ...run, fault: withTest(describeEarlyExit(report.exitedEarly), lastTest) }
  if (report.confused !== undefined)
    return { ...run, fault: withTest(`the solution's process ${report.confused}`, lastTest) }
  if (report.gone) return { ...run, fault: withTest(describePeerEnd(result), lastTest) }
  if (report.stalled) {
    run.results.push({ name: lastTest ?? 'loading', ok: false, message: 'never ended' })
    return run
  }
  const escaped = report.escaped[0]
  if (escaped !== undefined && run.results.every(({ ok }) => ok)) {
    run.results.push({ name: 'no error escapes its test', ok: false, message: escaped })
  }
  return run
}

/** Returns why a process without a report ended, in a text that is equal in equal runs. */
function describeEnd(result: SandboxResult): string {
  if (result.reason) return result.reason
  return result.killedBy ? `killed by ${result.killedBy}` : describeEarlyExit(String(result.exitCode))
}

function describePeerEnd({ peer, timedOut, reason }: SandboxResult): string {
  if (peer?.reason) return `the solution ${peer.reason}`
  // Both were ended for their time, and the harness lived long enough to see the solution go.
  if (timedOut && reason) return reason
  const how = peer?.killedBy ? `killed by ${peer.killedBy}` : `exit code ${peer?.exitCode ?? 'unknown'}`
  return `the solution ended (${how}) before it had answered`
}

const describeEarlyExit = (exitCode: string) => `ended with exit code ${exitCode} before its tests had ended`
const withTest = (text: string, test: string | undefined) =>
  normalise(test === undefined ? text : `${text}, in the test ${JSON.stringify(test)}`)
const list = (paths: readonly string[]) => [...new Set(paths)].sort().join(', ')

const isBuilt = !import.meta.url.endsWith('.ts')

/** Returns a program of several modules; the build bundles them into one file. */
export function harnessBundle(entry: string, modules: readonly string[]): Record<string, string> {
  return harnessPrograms(entry, ...(isBuilt ? [] : modules))
}

/** Returns harness programs by their path in the private folder. */
export function harnessPrograms(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${harnessFolder}/${name}`, harnessProgram(name)]))
}

/** Returns libraries that the build bundles from packages and compresses, also where the harness runs from its source. */
export const harnessLibraries = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const packed = readFileSync(join(packageRoot(), 'dist/bench/harness', `${name}.br`))
      return [`${harnessFolder}/${name}`, brotliDecompressSync(packed).toString('utf8')]
    }),
  )

function harnessProgram(name: string): string {
  const source = name.endsWith('.py') ? 'src/graders/harness/python' : 'src/graders/harness/node'
  const folder = isBuilt && name.endsWith('.mjs') ? 'dist/bench/harness' : source
  return readFileSync(join(packageRoot(), folder, name), 'utf8')
}
