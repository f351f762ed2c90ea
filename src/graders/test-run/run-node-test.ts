import { posix } from 'node:path'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type HarnessCall, harnessBundle, harnessLibraries, runHarness } from './harness-run.ts'
import { withLooseImports } from './loose-imports.ts'
import { byName, namedOutputBytes, namedTests, namesTests, onlyNamed } from './named-tests.ts'
import { linkModules, type NodeRunner, type NodeRunnerName, nodeRunners } from './node-runners.ts'
import { isTypeScript, needsLoader, stripTypes, withCommonJsNames } from './strip-types.ts'
import {
  harnessFolder,
  isPackage,
  sharesProcess,
  type TestJob,
  type TestRun,
  testFiles,
  testTexts,
} from './test-job.ts'

/**
 * Runs node:test files or specs, JavaScript or TypeScript, in one Node process; `node --test` would start one per file. Hidden tests and
 * the solution run in two processes, each in its own sandbox: the tests import stand-ins that call the other process. Visible checks,
 * which a method sees anyway, and the tests of a task that asks for it run in the solution's process.
 */
export async function runNodeTests(job: TestJob, name: NodeRunnerName): Promise<TestRun> {
  const runner = nodeRunners[name]
  return namesTests(job) ? runNamed(job, runner) : runWhole(job, runner)
}

/** Runs the tests of a commit: one file that cannot run is no reason for others not to. */
async function runNamed(job: TestJob, runner: NodeRunner): Promise<TestRun> {
  const files = { ...job.files, ...testTexts(job) }
  // Whoever imports such a file only lacks its names, so why a test did not run is said here.
  let broken: string | undefined
  for (const [path, text] of Object.entries(files)) {
    if (isPackage(path)) continue
    if (isTypeScript(path)) {
      const stripped = await stripTypes(text, path, runner.typescript)
      if ('code' in stripped) files[path] = stripped.code
      else {
        const said = notTypeScript(path, stripped.error)
        files[path] = `throw new SyntaxError(${JSON.stringify(said)})\n`
        if (text !== job.task.files[path]) broken ??= said
      }
    }
    const isScript = /\.m?js$/.test(path) || isTypeScript(path)
    if (runner.typescript === 'compiled' && isScript)
      files[path] = withCommonJsNames(files[path] as string, path)
  }
  const setup = ('setup' in job.spec && job.spec.setup) || []
  if (runner.typescript === 'compiled')
    Object.assign(files, withLooseImports(files, [...testFiles(job), ...setup], runner.endings))
  const run = await runHarness(job, {
    ...testsCall(job, runner, files, () => []),
    maxOutputBytes: namedOutputBytes,
  })
  const wanted = namedTests(job)
  return wanted.length === 0 || run.fault !== undefined ? run : onlyNamed(wanted, byName(run.results), broken)
}

const notTypeScript = (path: string, error: string) => `${path} is not TypeScript that can run here: ${error}`

async function runWhole(job: TestJob, runner: NodeRunner): Promise<TestRun> {
  const workspace = { ...job.files }
  const tests = testTexts(job)
  const fault = await strip(workspace, runner, notTypeScript)
  if (fault !== undefined) return { results: [], ran: 0, fault }
  const broken = await strip(tests, runner, (path, error) => `${job.task.ref}: ${path} is broken: ${error}`)
  if (broken !== undefined) throw new InfrastructureError(broken)
  return runHarness(
    job,
    sharesProcess(job)
      ? testsCall(job, runner, { ...workspace, ...tests }, () => [])
      : isolatedCall(job, runner, workspace, tests),
  )
}

function isolatedCall(job: TestJob, runner: NodeRunner, workspace: Files, tests: Files): HarnessCall {
  const isModule = (path: string) => workspace[path] !== undefined && isCode(path)
  const modulePath = (path: string) => runner.endings.map((ending) => path + ending).find(isModule)
  const imported = (path: string) =>
    importsOf(path, tests[path] as string).flatMap((one) => modulePath(one) ?? [])
  const helpers = Object.keys(tests).filter((path) => !testFiles(job).includes(path))
  const modulesOf = (path: string) => [...new Set([path, ...helpers].flatMap(imported))]
  const typescript = Object.keys({ ...workspace, ...tests }).some(needsLoader)
  return {
    ...testsCall(job, runner, { ...dataFiles(job), ...tests }, modulesOf, typescript),
    peerStdin: 'empty',
    peer: {
      files: { ...workspace, ...harnessBundle('solution.mjs', linkModules), ...ownPackage },
      command: [
        ...node,
        ...(runner.typescript === 'compiled' ? ['--enable-source-maps'] : []),
        programPath('solution.mjs'),
        ...(typescript ? ['--typescript'] : []),
        ...runner.solutionOptions,
      ],
    },
  }
}

const programPath = (name: string) => `${harnessFolder}/${name}`
const node = [process.execPath, '--no-warnings']
// The harness must start even if the method's package.json is broken.
const ownPackage = { [`${harnessFolder}/package.json`]: '{}' }

/** The longest time of one spec of a commit, as with Jest and Vitest: one that hangs must not end all others. */
const testTimeoutMs = 5000

function testsCall(
  job: TestJob,
  runner: NodeRunner,
  files: Files,
  modulesOf: (path: string) => string[],
  typescript = Object.keys(files).some(needsLoader),
): HarnessCall {
  const run = nodeTestFiles(job, runner).filter((path) => files[path] !== undefined)
  const own = Object.keys(testTexts(job)).filter((path) => !isPackage(path))
  const setup = ('setup' in job.spec && job.spec.setup) || []
  const plan = {
    tests: run.map((path) => ({ path, modules: modulesOf(path) })),
    guarded: [...new Set([...own, ...run, ...setup])].filter((path) => files[path] !== undefined),
    typescript,
    lenient: runner.typescript === 'compiled',
    isolated: !sharesProcess(job),
    setup: setup.filter((path) => files[path] !== undefined),
    ...(namesTests(job) && { byPath: true, timeoutMs: testTimeoutMs }),
  }
  return {
    files: {
      ...files,
      ...harnessBundle(runner.program, runner.modules),
      ...harnessLibraries(...runner.libraries),
      ...ownPackage,
    },
    command: [...node, ...runner.options, programPath(runner.program)],
    job: (secrets) => JSON.stringify({ ...secrets, ...plan }),
  }
}

function nodeTestFiles(job: TestJob, { named: isNamed }: NodeRunner): string[] {
  const runnable = testFiles(job).filter((path) => /\.[cm]?[jt]s$/.test(path))
  const named = runnable.filter((path) => isNamed.test(path))
  return job.spec.files || named.length === 0 ? runnable : named
}

async function strip(
  files: Record<string, string>,
  { typescript }: NodeRunner,
  explain: (path: string, error: string) => string,
): Promise<string | undefined> {
  for (const [path, text] of Object.entries(files)) {
    if (!isTypeScript(path)) continue
    const stripped = await stripTypes(text, path, typescript)
    if ('error' in stripped) return explain(path, stripped.error)
    files[path] = stripped.code
  }
  return undefined
}

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
      !isPackage(path) &&
      (posix.basename(path) !== 'package.json' || text === task.files[path]),
  )
  return Object.fromEntries(data)
}
