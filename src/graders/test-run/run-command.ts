import { InfrastructureError } from '../../text/errors.ts'
import { normalise } from '../expected.ts'
import { type TestJob, type TestRun, withTests } from './test-job.ts'

/**
 * Runs the task's command and trusts its exit code and its summary. This is weaker than the other runners: without a summary, a
 * solution that exits with code 0 passes.
 */
export async function runCommand(job: TestJob): Promise<TestRun> {
  const command = job.spec.command
  if (!command) throw new InfrastructureError(`${job.task.ref}: a command runner needs a command`)
  const result = await job.run({
    files: withTests(job),
    command,
    timeoutMs: job.spec.timeoutMs,
    signal: job.signal,
  })
  const name = command.join(' ')
  if (result.reason) return { results: [], ran: 0, fault: `${name}: ${result.reason}` }
  if (result.killedBy) return { results: [], ran: 0, fault: `${name} was killed by ${result.killedBy}` }
  const output = normalise(`${result.stdout}\n${result.stderr}`)
  const summary = readSummary(output)
  const failedOutput = output.slice(-1500)
  if (!summary) {
    const ok = result.exitCode === 0
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
  if (failed === 0 && result.exitCode !== 0) {
    return { results, ran: results.length, fault: `${name} ended with exit code ${result.exitCode}` }
  }
  return { results, ran: results.length }
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
