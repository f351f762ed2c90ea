import { InfrastructureError } from '../../text/errors.ts'
import { normalise } from '../expected.ts'
import { sourceHider } from './harness-run.ts'
import { type NamedResults, readNamedResults } from './named-results.ts'
import { namedOutputBytes, namedTests, namesTests } from './named-tests.ts'
import { isSecret, type TestJob, type TestRun, withTests } from './test-job.ts'

/** What a test command printed, and how it ended. */
export interface CommandEnd {
  /** Its output, equal in equal runs, without source lines of hidden tests. */
  output: string
  exitCode: number | null
  named: NamedResults
  /** Why its results do not count: a limit or a signal ended it. */
  fault?: string
}

/** Runs the task's command on the workspace with its test files. */
export async function startCommand(job: TestJob): Promise<CommandEnd> {
  const command = job.spec.command
  if (!command) throw new InfrastructureError(`${job.task.ref}: a command runner needs a command`)
  const { timeoutMs } = job.spec
  const result = await job.run({
    ...{ files: withTests(job), command, timeoutMs, signal: job.signal },
    ...(namesTests(job) && { maxOutputBytes: namedOutputBytes }),
  })
  const name = command.join(' ')
  const printed = normalise(`${result.stdout}\n${result.stderr}`)
  const output = isSecret(job) ? sourceHider(job.tests)(printed) : printed
  const fault = result.reason
    ? `${name}: ${result.reason}`
    : result.killedBy
      ? `${name} was killed by ${result.killedBy}`
      : undefined
  const named = readNamedResults(`${result.stdout}\n${result.stderr}`)
  return { output, exitCode: result.exitCode, named, ...(fault !== undefined && { fault }) }
}

/**
 * Runs the task's command and trusts its exit code and what it prints. This is weaker than the other runners: without a summary, a
 * solution that exits with code 0 passes. If the task names its tests, each of them must be among those that the command says have passed.
 */
export async function runCommand(job: TestJob): Promise<TestRun> {
  const { output, exitCode, named, fault } = await startCommand(job)
  const name = (job.spec.command ?? []).join(' ')
  if (fault !== undefined) return { results: [], ran: 0, fault }
  const failedOutput = output.slice(-1500)
  const wanted = namedTests(job)
  if (wanted.length > 0) return namedRun(wanted, named, failedOutput)
  const summary = readSummary(output)
  if (!summary) {
    const ok = exitCode === 0
    return { results: [{ name, ok, message: ok ? '' : failedOutput }], ran: 1 }
  }
  const { passed, failed } = summary
  const results = [
    ...Array.from({ length: passed }, (_, i) => ({ name: `test ${i + 1}`, ok: true, message: '' })),
    ...Array.from({ length: failed }, (_, i) => ({
      name: `failed test ${i + 1}`,
      ok: false,
      message: i === 0 ? failedOutput : '',
    })),
  ]
  if (failed === 0 && exitCode !== 0) {
    return { results, ran: results.length, fault: `${name} ended with exit code ${exitCode}` }
  }
  return { results, ran: results.length }
}

function namedRun(wanted: readonly string[], named: NamedResults, output: string): TestRun {
  const failed = wanted.filter((name) => named.get(name) !== true)
  const results = wanted.map((name) => ({
    name,
    ok: named.get(name) === true,
    message: named.has(name) ? 'failed' : 'did not run',
  }))
  const explained = results.map((result) =>
    result.ok
      ? { ...result, message: '' }
      : result.name === failed[0]
        ? { ...result, message: `${result.message}: ${output}` }
        : result,
  )
  return { results: explained, ran: wanted.filter((name) => named.has(name)).length }
}

/** Parses the counts in the last summary of node:test, pytest, unittest or jest; undefined if there is none. */
export function readSummary(output: string): { passed: number; failed: number } | undefined {
  const last = (pattern: RegExp) => [...output.matchAll(pattern)].at(-1)
  const count = (match: RegExpMatchArray | undefined) => Number(match?.[1] ?? 0)

  const nodePassed = last(/^(?:#|ℹ) pass (\d+)$/gm)
  if (nodePassed) {
    const failed = count(last(/^(?:#|ℹ) fail (\d+)$/gm)) + count(last(/^(?:#|ℹ) cancelled (\d+)$/gm))
    return { passed: count(nodePassed), failed }
  }
  // pytest `2 failed, 3 passed in … s`, jest `Tests: 1 failed, 2 passed, 3 total`
  const line = last(/^(?:=+ |Tests: +)?((?:\d+ \w+(?:, )?)+?)(?:, \d+ total| in )/gm)?.[1]
  if (line) {
    const part = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
    return { passed: part('passed'), failed: part('failed') + part('errors?') }
  }
  const ran = last(/^Ran (\d+) tests?/gm)
  if (ran) {
    const verdict = last(/^(?:OK|FAILED)(.*)$/gm)?.[1] ?? ''
    const part = (word: string) => Number(new RegExp(`${word}=(\\d+)`).exec(verdict)?.[1] ?? 0)
    const failed = part('failures') + part('errors')
    return { passed: Math.max(0, count(ran) - failed - part('skipped')), failed }
  }
  return undefined
}
