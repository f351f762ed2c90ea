import { seededRandom, shuffled } from '../../base/random.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { GraderSpec } from '../../schema/grader-spec.ts'
import type { CheckSpec, Files, Task } from '../../schema/task.ts'

/** Test files to run on a method's files: hidden ones for grading, visible ones as checks. */
export interface TestJob {
  task: Task
  spec: CheckSpec | Extract<GraderSpec, { kind: 'tests' }>
  /** The final files of the workspace; see `finalFiles`. */
  files: Files
  /** The folder of the test files in the workspace. */
  folder: 'tests' | 'checks'
  tests: Files
  /** Draws the order of the test files; undefined: by name. */
  shuffle?: string | undefined
  run: SandboxRun
  signal: AbortSignal
}

/** Whether tests and solution run in one process: visible checks, which a method sees anyway, and tasks that ask for it. */
export const sharesProcess = ({ folder, task }: Pick<TestJob, 'folder' | 'task'>): boolean =>
  folder === 'checks' || task.spec.grading === 'one-process'

/** Whether no agent may see the tests, so that no record may quote them. */
export const isSecret = ({ folder }: Pick<TestJob, 'folder'>): boolean => folder === 'tests'

/** The result of one test. */
export interface TestResult {
  name: string
  ok: boolean
  /** Why it failed; empty if it passed. Normalised: equal runs give equal text. */
  message: string
}

/** The result of a run of test files. */
export interface TestRun {
  results: TestResult[]
  /** How many tests ran to the end. A file that could not be loaded has a result, but is not a test. */
  ran: number
  /** Why no result counts (it ended early, ran too long, changed its tests). */
  fault?: string
}

/** Returns the workspace paths of the job's test files: those that its specification names, or all. */
export function testFiles(job: TestJob): string[] {
  const paths = (job.spec.files ?? Object.keys(job.tests)).map((path) => testPath(job, path)).sort()
  return job.shuffle === undefined ? paths : shuffled(paths, seededRandom(job.shuffle))
}

const testPath = ({ spec, folder }: TestJob, path: string) =>
  spec.testsIn === 'root' ? path : `${folder}/${path}`

/** Returns all test files by their path in the workspace. */
export function testTexts(job: TestJob): Record<string, string> {
  return Object.fromEntries(Object.entries(job.tests).map(([path, text]) => [testPath(job, path), text]))
}

/** The folder of the harness in the workspace's copy. A method's files there are dropped. */
export const harnessFolder = '.bench'

/** Whether a path is one of an installed package. */
export const isPackage = (path: string): boolean => path.split('/').includes('node_modules')

/** Removes files whose paths conflict with the tests or the harness: grading would be impossible. */
export function removeBlockingFiles(job: TestJob): TestJob {
  const tests = Object.keys(testTexts(job))
  const isBlocking = (path: string) =>
    `${path}/`.startsWith(`${harnessFolder}/`) ||
    tests.some((test) => test.startsWith(`${path}/`) || path.startsWith(`${test}/`))
  const files = Object.entries(job.files)
  const kept = files.filter(([path]) => !isBlocking(path))
  return kept.length === files.length ? job : { ...job, files: Object.fromEntries(kept) }
}

/** Returns the workspace with all test files, which replace files of the method at the same paths. */
export function withTests(job: TestJob): Record<string, string> {
  return { ...job.files, ...testTexts(job) }
}
