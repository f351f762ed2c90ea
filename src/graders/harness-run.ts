import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InfrastructureError } from '../errors.ts'
import { packageRoot } from '../package-root.ts'
import { floodFactor } from '../sandbox/output.ts'
import type { SandboxCommand, SandboxResult } from '../sandbox/sandbox.ts'
import type { Files } from '../schema/task.ts'
import { normalise } from './normalise.ts'
import { shorten } from './scores.ts'
import type { TestJob, TestRun } from './test-job.ts'
import { parseProgress, parseReport, type TestReport } from './test-report.ts'

/** Folder of the harness in the workspace's copy; nothing that a method left there survives. */
export const harnessFolder = '.bench'

/** A harness program and what it is started with. */
export interface HarnessCall {
  files: Files
  command: readonly string[]
  /** Text for standard input, with this run's secrets in it. */
  stdin(secrets: { token: string; progress: string }): string
}

/** Runs a harness on a job and reads its report. Throws `InfrastructureError` when the harness itself did not start. */
export async function runHarness(job: TestJob, call: HarnessCall): Promise<TestRun> {
  const secrets = { token: randomUUID(), progress: randomUUID() }
  const command: SandboxCommand = {
    files: call.files,
    command: call.command,
    stdin: call.stdin(secrets),
    timeoutMs: job.spec.timeoutMs,
    signal: job.signal,
  }
  let result = await job.run(command)
  // A signal from outside (a full machine's out-of-memory killer) may have hit an innocent. One that hits again when
  // all is repeated is the solution's own doing.
  if (wasKilled(result)) result = await job.run(command)
  const report = parseReport(result.stdout, secrets.token)
  const progress = parseProgress(result.stdout, secrets.progress)
  if (!progress.ready && !report && !result.truncated) {
    throw new InfrastructureError(
      `the test harness did not start (${job.task.ref}, ${call.command[0]}): ${shorten(result.stderr.trim()) || ending(result, job)}`,
    )
  }
  if (!report) return { results: [], ran: 0, fault: withTest(ending(result, job), progress.last) }
  return judge(report, progress.last)
}

function judge(report: TestReport, lastTest: string | undefined): TestRun {
  const run: TestRun = { results: [...report.unloaded, ...report.results], ran: report.results.length }
  if (report.changed.length > 0) return { ...run, fault: `the solution changed ${list(report.changed)}` }
  if (report.exitedEarly !== undefined)
    return { ...run, fault: withTest(early(report.exitedEarly), lastTest) }
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

const wasKilled = (result: SandboxResult) => result.killedBy !== null && !result.timedOut && !result.truncated

/** Why a process without a report ended, in words that are the same each time. */
function ending(result: SandboxResult, job: TestJob): string {
  if (result.timedOut) return `still running after the limit of ${job.spec.timeoutMs} ms`
  if (result.truncated && result.killedBy) return `printed more than ${floodFactor} times what is kept`
  const memory = /out of memory|MemoryError/i.test(result.stderr) ? ', out of memory' : ''
  if (result.killedBy) return `killed by ${result.killedBy}${memory}`
  return early(String(result.exitCode)) + memory
}

const early = (exitCode: string) => `ended with exit code ${exitCode} before its tests had ended`
const withTest = (text: string, test: string | undefined) =>
  normalise(test === undefined ? text : `${text}, in the test ${JSON.stringify(test)}`)
const list = (paths: readonly string[]) => [...new Set(paths)].sort().join(', ')

const programs = new Map<string, string>()

/** Text of one of the harness programs, read once. */
export function harnessProgram(name: string): string {
  let text = programs.get(name)
  if (text === undefined) {
    text = readFileSync(join(packageRoot(), 'src/graders/harness', name), 'utf8')
    programs.set(name, text)
  }
  return text
}
