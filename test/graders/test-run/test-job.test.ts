import { expect, it } from 'vitest'
import { removeBlockingFiles } from '../../../src/graders/test-run/test-job.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

it("removeBlockingFiles removes a method's files at the paths of tests and harness, and nothing else", () => {
  const task = codeTask()
  const spec = task.spec.graders[0] as Parameters<typeof removeBlockingFiles>[0]['spec']
  const cleared = (files: Record<string, string>) => {
    const signal = new AbortController().signal
    const job = {
      task,
      spec,
      files,
      folder: 'tests',
      tests: task.hidden.tests,
      run: spawnUnsandboxed,
      signal,
    } as const
    return Object.keys(removeBlockingFiles(job).files)
  }
  const own = { 'src/sum.mjs': '', 'tests/mine.mjs': '', '.benchmark': '', test: '' }
  expect(cleared({ ...own, tests: '', '.bench': '', '.bench/job/x': '' })).toEqual(Object.keys(own))
  expect(cleared({ ...own, 'tests/sum.test.mjs': '', 'tests/sum.test.mjs/x': '' })).toEqual([
    ...Object.keys(own),
    'tests/sum.test.mjs',
  ])
})
