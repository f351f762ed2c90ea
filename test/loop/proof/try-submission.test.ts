import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { trySubmission } from '../../../src/loop/proof/try-submission.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Task } from '../../../src/schema/task.ts'
import { loadTaskFolder } from '../../../src/suites/native.ts'

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
