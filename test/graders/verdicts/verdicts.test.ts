import { describe, expect, it } from 'vitest'
import type { Verdicts } from '../../../src/graders/verdicts/verdicts.ts'
import type { SandboxResult, SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Verdict } from '../../../src/schema/ledger/verdict.ts'
import type { Task } from '../../../src/schema/task.ts'
import type { CheckResult } from '../../../src/strategy.ts'
import { keptIn } from '../../helpers/graders/kept-verdicts.ts'
import { codeTask, sumTests } from '../../helpers/runs/sample-task.ts'

const all = { part: 1, of: 1 }
const work = (task: Task, text: string, run: SandboxRun) => ({
  ...{ task, answer: undefined, run, signal: new AbortController().signal },
  files: { ...task.files, 'src/sum.mjs': text },
})
const ended = (change: Partial<SandboxResult> = {}): SandboxResult => ({
  ...{ exitCode: 0, killedBy: null, stdout: '', stderr: '', timedOut: false, truncated: false },
  ...{ level: 'full', durationMs: 10, ...change },
})
const passes: CheckResult = { status: 'passed', passed: 1, total: 1, output: '' }
const fails: CheckResult = { ...passes, status: 'failed', passed: 0, output: 'sum: 1 is not 2' }

/** Checks a work by a program that ends so. */
const checked = (verdicts: Verdicts, task: Task, text: string, result = passes, end = ended()) =>
  verdicts.judge({ kind: 'check', ...work(task, text, async () => end) }, async (run) => {
    const { level } = await run({ files: {}, command: [], timeoutMs: 1000 })
    return { result, level }
  })

const checks = { runner: 'node-test', expectTests: 3, timeoutMs: 20_000 }
const task = { ...codeTask({ spec: { checks }, checks: { 'sum.test.mjs': sumTests } }), digest: 'task 1' }

describe('kept verdicts', () => {
  it('are of one task and one work, whatever the file says', async () => {
    const { verdicts, written } = keptIn([])
    await checked(verdicts, task, 'a', fails)
    const using = keptIn(written()).verdicts
    for (const [other, text] of [
      [{ ...task, digest: 'task 2' }, 'a'],
      [task, 'b'],
    ] as const)
      expect((await checked(using, other, text)).result).toEqual(passes)
    expect((await checked(using, task, 'a')).result).toEqual(fails)
    expect(using.counts()).toEqual({ taken: 1, graded: 2, proved: 0 })
  })

  it('of a grade are no verdicts of a check', async () => {
    const { verdicts, written } = keptIn([])
    await checked(verdicts, task, 'a', fails)
    const renamed = written().map((one) => ({ ...one, kind: 'grade' }) as Verdict)
    expect((await checked(keptIn(renamed).verdicts, task, 'a')).result).toEqual(passes)
  })

  it.each([
    ['timed out', { timedOut: true, ended: 'wall' as const }],
    ['took more than half of its time', { durationMs: 600 }],
    ['used too much memory', { ended: 'memory' as const }],
    ['was killed', { exitCode: null, killedBy: 'SIGKILL' }],
    ['had a second program that ran out of time', { peer: { ...ended(), ended: 'cpu' as const } }],
  ])('are not kept of a program that %s', async (_, end) => {
    const { verdicts, written } = keptIn([])
    expect((await checked(verdicts, task, 'a', fails, ended(end))).result).toEqual(fails)
    expect(written()).toEqual([])
  })

  it('are not kept of work that is judged otherwise the second time', async () => {
    const { verdicts, written } = keptIn([])
    await checked(verdicts, task, 'a', passes)
    await checked(verdicts, task, 'b', passes)
    expect(written()).toHaveLength(2)
    await checked(verdicts, task, 'a', fails)
    await checked(verdicts, task, 'a', passes)
    expect(written()).toHaveLength(1)
  })

  it.each([
    ['a package of the machine', { requires: ['python:numpy'] }],
    ['a command', { checks: { runner: 'command', command: ['make'], timeoutMs: 1000 } }],
  ])('are neither made nor used where they depend on %s', async (_, spec) => {
    const other = codeTask({ spec: { checks, ...spec }, checks: { 'sum.test.mjs': sumTests } })
    const { verdicts, written } = keptIn([])
    await checked(verdicts, other, 'a')
    expect(written()).toEqual([])
    expect(verdicts.counts()).toEqual({ taken: 0, graded: 0, proved: 0 })
  })

  it('are proved by judging again, and a wrong one ends the trial', async () => {
    const { verdicts, written } = keptIn([])
    await checked(verdicts, task, 'a', fails)
    const proving = keptIn(written(), all).verdicts
    expect((await checked(proving, task, 'a', fails)).result).toEqual(fails)
    expect(proving.counts()).toEqual({ taken: 1, graded: 0, proved: 1 })
    await expect(checked(proving, task, 'a', passes)).rejects.toThrowErrorMatchingSnapshot()
    const late = ended({ timedOut: true })
    await expect(checked(proving, task, 'a', fails, late)).rejects.toThrowErrorMatchingSnapshot()
  })

  it('are each in one of the parts that are proved', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`)
    const { verdicts, written } = keptIn([])
    for (const text of texts) await checked(verdicts, task, text)
    const proved = []
    for (const part of [1, 2, 3, 4]) {
      const using = keptIn(written(), { part, of: 4 }).verdicts
      for (const text of texts) await checked(using, task, text)
      proved.push(using.counts().proved)
    }
    expect(proved.reduce((sum, one) => sum + one)).toBe(40)
    expect(Math.min(...proved)).toBeGreaterThan(0)
  })
})
