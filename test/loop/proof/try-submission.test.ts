import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { trySubmission } from '../../../src/loop/proof/try-submission.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Task } from '../../../src/schema/task.ts'
import { loadTaskFolder } from '../../../src/suites/native.ts'
import { keptIn } from '../../helpers/graders/kept-verdicts.ts'

const [task] = loadTaskFolder(join(packageRoot(), 'tasks/code/duration-text')).tasks as [Task]
const right = { files: { ...task.files, ...task.hidden.solution?.files } }
const untouched = { files: task.files }

/** Sets the duration of each program on a fake clock, graders first, in ms. */
let takes: number[]
let runs: number
const counted: SandboxRun = async (command) => {
  const result = await spawnUnsandboxed(command)
  vi.advanceTimersByTime(takes[runs++] ?? 0)
  return result
}
const attempt = trySubmission(counted, new AbortController().signal)

describe('a submission that is tried outside trials', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    takes = [300, 200, 200]
    runs = 0
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    [300, 200],
    [200, 300],
  ])('is graded (%i ms) and checked (%i ms), and takes the longer of both times', async (...both) => {
    takes = both
    const { passed, visible, ms } = await attempt(task, untouched)
    expect({ passed, status: visible.status, ms, runs }).toEqual({
      passed: false,
      status: 'failed',
      ms: 300,
      runs: 2,
    })
  })

  it('is not checked when it passes, unless `always` is set', async () => {
    expect(await attempt(task, right)).toMatchObject({ passed: true, visible: { status: 'none' } })
    expect(runs).toBe(1)
    expect(await attempt(task, right, { always: true })).toMatchObject({
      passed: true,
      visible: { status: 'passed' },
    })
    expect(runs).toBe(3)
  })

  it('is not checked when the graders took longer than `allowedMs`', async () => {
    const { passed, visible, ms } = await attempt(task, untouched, { allowedMs: 299 })
    expect({ passed, status: visible.status, ms, runs }).toEqual({
      passed: false,
      status: 'none',
      ms: 300,
      runs: 1,
    })
  })
})

describe('what is known of a submission', () => {
  const signal = new AbortController().signal
  const tried = (held: Parameters<typeof keptIn>[0], run: SandboxRun) => {
    const kept = keptIn(held)
    return { ...kept, attempt: trySubmission(run, signal, undefined, async () => kept.verdicts) }
  }
  const never: SandboxRun = () => Promise.reject(new Error('a program was started'))

  it('is not run again: neither grade nor check', async () => {
    const first = tried([], spawnUnsandboxed)
    const found = await first.attempt(task, untouched)
    const { ms: _, ...known } = found
    expect(first.written().map(({ kind }) => kind)).toEqual(['grade', 'check'])
    expect(await tried(first.written(), never).attempt(task, untouched)).toMatchObject(known)
  })

  it('is that it takes too long, as long as no later try ends in time', async () => {
    const late: SandboxRun = async (command) => ({ ...(await spawnUnsandboxed(command)), timedOut: true })
    const first = tried([], late)
    await first.attempt(task, untouched, { allowedMs: 0 })
    expect(first.written().map(({ kind }) => kind)).toEqual(['slow'])
    const known = await tried(first.written(), never).attempt(task, untouched)
    expect(known).toMatchObject({ passed: false, ms: Number.POSITIVE_INFINITY })
    const second = tried([], spawnUnsandboxed)
    await second.attempt(task, untouched, { allowedMs: 0 })
    await second.attempt(task, untouched)
    expect(second.written().map(({ kind }) => kind)).toEqual(['grade', 'check'])
  })
})
