import { posix } from 'node:path'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type HarnessCall, harnessBundle, runHarness } from './harness-run.ts'
import { isTypeScript, stripTypes } from './strip-types.ts'
import { harnessFolder, sharesProcess, type TestJob, type TestRun, testFiles, testTexts } from './test-job.ts'

const program = `${harnessFolder}/node-test.mjs`
const linkModules = [
  'channel.mjs',
  'link.mjs',
  'mirror.mjs',
  'registry.mjs',
  'outgoing.mjs',
  'incoming.mjs',
  'arrivals.mjs',
  'builtins.mjs',
  'functions.mjs',
  'kinds.mjs',
  'contents.mjs',
  'originals.mjs',
  'iterators.mjs',
  'random.mjs',
  'values.mjs',
  'typescript.mjs',
]
const testModules = ['report.mjs', 'stand-ins.mjs', ...linkModules]

/**
 * Runs node:test files, JavaScript or TypeScript, in one Node process; `--test` would start one per file. Hidden tests and the
 * solution run in two processes, each in its own sandbox: the tests import stand-ins that call the other process. Visible checks,
 * which a method sees anyway, and the tests of a task that asks for it run in the solution's process.
 */
export async function runNodeTest(job: TestJob): Promise<TestRun> {
  const workspace = { ...job.files }
  const tests = testTexts(job)
  const fault = await strip(
    workspace,
    (path, error) => `${path} is not TypeScript that can run here: ${error}`,
  )
  if (fault !== undefined) return { results: [], ran: 0, fault }
  const broken = await strip(tests, (path, error) => `${job.task.ref}: ${path} is broken: ${error}`)
  if (broken !== undefined) throw new InfrastructureError(broken)
  return runHarness(
    job,
    sharesProcess(job) ? sharedCall(job, workspace, tests) : isolatedCall(job, workspace, tests),
  )
}

function sharedCall(job: TestJob, workspace: Files, tests: Files): HarnessCall {
  const files = { ...workspace, ...tests }
  const typescript = Object.keys(files).some(isTypeScript)
  return testsCall(job, files, tests, typescript, () => [])
}

function isolatedCall(job: TestJob, workspace: Files, tests: Files): HarnessCall {
  const isModule = (path: string) => workspace[path] !== undefined && isCode(path)
  const imported = (path: string) => importsOf(path, tests[path] as string)
  const helpers = Object.keys(tests).filter((path) => !testFiles(job).includes(path))
  const modulesOf = (path: string) => [...new Set([path, ...helpers].flatMap(imported))].filter(isModule)
  const typescript = [...Object.keys(workspace), ...Object.keys(tests)].some(isTypeScript)
  return {
    ...testsCall(job, { ...dataFiles(job), ...tests }, tests, typescript, modulesOf),
    peerStdin: 'empty',
    peer: {
      files: { ...workspace, ...harnessBundle('solution.mjs', linkModules), ...ownPackage },
      command: [...node, `${harnessFolder}/solution.mjs`, ...(typescript ? ['--typescript'] : [])],
    },
  }
}

const node = [process.execPath, '--no-warnings']
// The harness must start even if the method's package.json is broken.
const ownPackage = { [`${harnessFolder}/package.json`]: '{}' }

function testsCall(
  job: TestJob,
  files: Files,
  tests: Files,
  typescript: boolean,
  modulesOf: (path: string) => string[],
): HarnessCall {
  const plan = {
    tests: nodeTestFiles(job).map((path) => ({ path, modules: modulesOf(path) })),
    guarded: Object.keys(tests),
    typescript,
    isolated: !sharesProcess(job),
  }
  return {
    files: { ...files, ...harnessBundle('node-test.mjs', testModules), ...ownPackage },
    command: [...node, `--test-reporter=./${program}`, '--test-reporter-destination=stderr', program],
    job: (secrets) => JSON.stringify({ ...secrets, ...plan }),
  }
}

/** Returns the files that the grader names, else `*.test.*` files if there are any, else all files that Node can run. */
function nodeTestFiles(job: TestJob): string[] {
  const runnable = testFiles(job).filter((path) => /\.[cm]?[jt]s$/.test(path))
  const named = runnable.filter((path) => /[.-]test\.[cm]?[jt]s$/.test(path))
  return job.spec.files || named.length === 0 ? runnable : named
}

/** Strips types in place; returns `explain` of the first file that cannot be stripped. */
async function strip(
  files: Record<string, string>,
  explain: (path: string, error: string) => string,
): Promise<string | undefined> {
  for (const [path, text] of Object.entries(files)) {
    if (!isTypeScript(path)) continue
    const stripped = await stripTypes(text, path)
    if ('error' in stripped) return explain(path, stripped.error)
    files[path] = stripped.code
  }
  return undefined
}

/** Returns the workspace paths that a test file imports: relative specifiers in string literals. */
function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(['"])(\.\.?\/[^'"\n]+)\1/g)].map((match) => match[2] as string)
  return specifiers.map((specifier) => posix.join(posix.dirname(path), specifier))
}

const isCode = (path: string) => /\.(?:[cm]?[jt]s|jsx|tsx|node|wasm)$/.test(path)

/** Returns the data files that tests may read, as the method left them. A `package.json` counts only if it is unchanged. */
function dataFiles({ files, task }: TestJob): Files {
  const data = Object.entries(files).filter(
    ([path, text]) =>
      !isCode(path) &&
      !path.split('/').includes('node_modules') &&
      (posix.basename(path) !== 'package.json' || text === task.files[path]),
  )
  return Object.fromEntries(data)
}
