import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { CheckSpec, Files, GraderSpec, Task } from '../../schema/task.ts'

/** Test files to run on what a method left behind: hidden ones for grading, visible ones as checks. */
export interface TestJob {
  task: Task
  spec: CheckSpec | Extract<GraderSpec, { kind: 'tests' }>
  /** The workspace's files, with all that was not editable put back. */
  files: Files
  /** Folder in the workspace where the test files are put. */
  folder: 'tests' | 'checks'
  tests: Files
  run: SandboxRun
  signal: AbortSignal
}

/** One test as it ended. */
export interface TestResult {
  name: string
  ok: boolean
  /** Why it failed; empty where it passed. Normalised: equal runs give equal text. */
  message: string
}

/** What a run of test files gave. */
export interface TestRun {
  results: TestResult[]
  /** How many tests ran to an end; files that could not be loaded have a result but are none. */
  ran: number
  /** Why nothing of it counts, whatever the results are (it ended early, ran too long, changed its tests). */
  fault?: string
}

/** The job's test files by their place in the workspace; those that its specification names, or all. */
export function testFiles(job: TestJob): string[] {
  return (job.spec.files ?? Object.keys(job.tests)).map((path) => `${job.folder}/${path}`).sort()
}

/** All test files by their place in the workspace. */
export function testTexts(job: TestJob): Record<string, string> {
  return Object.fromEntries(Object.entries(job.tests).map(([path, text]) => [`${job.folder}/${path}`, text]))
}

/** Folder of the harness in the workspace's copy; nothing that a method left there survives. */
export const harnessFolder = '.bench'

/** The job without files that stand where its tests or the harness go: they would make the work impossible to judge. */
export function clearedJob(job: TestJob): TestJob {
  const tests = Object.keys(testTexts(job))
  const isInTheWay = (path: string) =>
    `${path}/`.startsWith(`${harnessFolder}/`) ||
    tests.some((test) => test.startsWith(`${path}/`) || path.startsWith(`${test}/`))
  const files = Object.entries(job.files)
  const clear = files.filter(([path]) => !isInTheWay(path))
  return clear.length === files.length ? job : { ...job, files: Object.fromEntries(clear) }
}

/** The workspace with all test files put in, over whatever the method left in their places. */
export function withTests(job: TestJob): Record<string, string> {
  return { ...job.files, ...testTexts(job) }
}
