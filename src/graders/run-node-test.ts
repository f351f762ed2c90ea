import { InfrastructureError } from '../errors.ts'
import { harnessFolder, harnessProgram, runHarness } from './harness-run.ts'
import { isTypeScript, stripTypes } from './strip-types.ts'
import { type TestJob, type TestRun, testFiles, withTests } from './test-job.ts'

const program = `${harnessFolder}/node-test.mjs`

/** Runs node:test files, JavaScript or TypeScript, in one Node process: `--test` would start one more per file. */
export async function runNodeTest(job: TestJob): Promise<TestRun> {
  const files = withTests(job)
  const fault = stripAll(job, files)
  if (fault) return { results: [], ran: 0, fault }
  files[program] = harnessProgram('node-test.mjs')
  // The harness must start whatever the method wrote into its own package.json.
  files[`${harnessFolder}/package.json`] = '{}'
  const guarded = Object.keys(job.tests).map((path) => `${job.folder}/${path}`)
  return runHarness(job, {
    files,
    // The same random numbers each time, or equal solutions would not get equal scores.
    command: [process.execPath, '--no-warnings', '--random-seed=1', `--test-reporter=./${program}`, program],
    stdin: (secrets) =>
      JSON.stringify({
        ...secrets,
        tests: nodeTests(job),
        guarded,
        typescript: Object.keys(files).some(isTypeScript),
      }),
  })
}

/** Named files, else `*.test.*` where there are some, else all that Node can run. */
function nodeTests(job: TestJob): string[] {
  const runnable = testFiles(job).filter((path) => /\.[cm]?[jt]s$/.test(path))
  const named = runnable.filter((path) => /[.-]test\.[cm]?[jt]s$/.test(path))
  return job.spec.files || named.length === 0 ? runnable : named
}

/** Strips all TypeScript in place; says what of the solution's cannot be stripped. */
function stripAll(job: TestJob, files: Record<string, string>): string | undefined {
  for (const [path, text] of Object.entries(files)) {
    if (!isTypeScript(path)) continue
    const stripped = stripTypes(text, path)
    if ('code' in stripped) files[path] = stripped.code
    else if (job.files[path] === text) return `${path} is not TypeScript that can run here: ${stripped.error}`
    else throw new InfrastructureError(`${job.task.ref}: ${path} is broken: ${stripped.error}`)
  }
  return undefined
}
