import { posix } from 'node:path'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type HarnessCall, harnessBundle, harnessLibraries, runHarness } from './harness-run.ts'
import { harnessFolder, sharesProcess, type TestJob, type TestRun, testFiles, testTexts } from './test-job.ts'

/** JavaScript with every position of the TypeScript source kept, or why its types cannot be stripped. */
type Stripped = { code: string } | { error: string }

/**
 * Replaces types by white space. Enums, namespaces and parameter properties are not only types: they are refused, or compiled; then
 * the code has a source map.
 */
export async function stripTypes(
  source: string,
  path: string,
  enums: 'refused' | 'compiled' = 'refused',
): Promise<Stripped> {
  // Loaded on first use: few runs have TypeScript.
  const { transformSync } = await import('@swc/wasm-typescript')
  const options = { module: true, filename: path }
  try {
    return { code: transformSync(source, { ...options, mode: 'strip-only' }).code }
  } catch (error) {
    if (enums === 'refused' || !isUnsupported(error)) return { error: messageOf(error) }
  }
  try {
    const { code, map = '' } = transformSync(source, { ...options, mode: 'transform', sourceMap: true })
    const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`
    return { code: `${code}\n//# sourceMappingURL=${url}\n` }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

const isUnsupported = (error: unknown) => (error as { code?: string }).code === 'UnsupportedSyntax'

function messageOf(error: unknown): string {
  const { message, startLine, startColumn } = error as {
    message?: string
    startLine?: number
    startColumn?: number
  }
  const place = startLine === undefined ? '' : ` (line ${startLine}, column ${(startColumn ?? 0) + 1})`
  return `${message ?? String(error)}${place}`
}

/** Whether a path is a TypeScript module; declaration files are not. */
export const isTypeScript = (path: string) =>
  /\.m?ts$/.test(path) && !path.endsWith('.d.ts') && !path.endsWith('.d.mts')

interface NodeRunner {
  /** The harness's program, its modules, and the libraries that the build made. */
  program: string
  modules: readonly string[]
  libraries: readonly string[]
  /** Options of Node for the program, and of the solution's process. */
  options: readonly string[]
  solutionOptions: readonly string[]
  /** Names of test files, if any file has such a name. */
  named: RegExp
  /** Endings that an import may leave out. */
  endings: readonly string[]
  /** What to do with code that is not only types, such as enums. */
  enums: 'refused' | 'compiled'
}

const linkModules = [
  'channel.mjs',
  'link.mjs',
  'mirror.mjs',
  'outgoing.mjs',
  'incoming.mjs',
  'arrivals.mjs',
  'builtins.mjs',
  'kinds.mjs',
  'contents.mjs',
  'originals.mjs',
  'iterators.mjs',
  'random.mjs',
  'values.mjs',
  'loaders.mjs',
]
const testModules = ['report.mjs', 'stand-ins.mjs', 'test-files.mjs', ...linkModules]
const programPath = (name: string) => `${harnessFolder}/${name}`

const nodeTest: NodeRunner = {
  program: 'node-test.mjs',
  modules: testModules,
  libraries: [],
  options: [`--test-reporter=./${programPath('node-test.mjs')}`, '--test-reporter-destination=stderr'],
  solutionOptions: [],
  named: /[.-]test\.[cm]?[jt]s$/,
  endings: [''],
  enums: 'refused',
}

const jest: NodeRunner = {
  program: 'jest.mjs',
  modules: ['jest-tree.mjs', 'jest-globals.mjs', ...testModules],
  libraries: ['jest-library.mjs'],
  options: ['--enable-source-maps'],
  solutionOptions: ['--jest'],
  named: /[.-](?:test|spec)\.[cm]?[jt]s$/,
  endings: ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '/index.js', '/index.ts'],
  enums: 'compiled',
}

/**
 * Runs node:test files, JavaScript or TypeScript, in one Node process; `--test` would start one per file. Hidden tests and the
 * solution run in two processes, each in its own sandbox: the tests import stand-ins that call the other process. Visible checks,
 * which a method sees anyway, and the tests of a task that asks for it run in the solution's process.
 */
export const runNodeTest = (job: TestJob): Promise<TestRun> => runInNode(job, nodeTest)

/** Runs specs of Jest like `runNodeTest`: with Jest's own `expect` and mocks, and modules found as Jest does. */
export const runJest = (job: TestJob): Promise<TestRun> => runInNode(job, jest)

async function runInNode(job: TestJob, runner: NodeRunner): Promise<TestRun> {
  const workspace = { ...job.files }
  const tests = testTexts(job)
  const fault = await strip(
    workspace,
    runner,
    (path, error) => `${path} is not TypeScript that can run here: ${error}`,
  )
  if (fault !== undefined) return { results: [], ran: 0, fault }
  const broken = await strip(tests, runner, (path, error) => `${job.task.ref}: ${path} is broken: ${error}`)
  if (broken !== undefined) throw new InfrastructureError(broken)
  return runHarness(
    job,
    sharesProcess(job)
      ? sharedCall(job, runner, workspace, tests)
      : isolatedCall(job, runner, workspace, tests),
  )
}

function sharedCall(job: TestJob, runner: NodeRunner, workspace: Files, tests: Files): HarnessCall {
  const files = { ...workspace, ...tests }
  const typescript = Object.keys(files).some(isTypeScript)
  return testsCall(job, runner, files, tests, typescript, () => [])
}

function isolatedCall(job: TestJob, runner: NodeRunner, workspace: Files, tests: Files): HarnessCall {
  const isModule = (path: string) => workspace[path] !== undefined && isCode(path)
  const modulePath = (path: string) => runner.endings.map((ending) => path + ending).find(isModule)
  const imported = (path: string) =>
    importsOf(path, tests[path] as string).flatMap((one) => modulePath(one) ?? [])
  const helpers = Object.keys(tests).filter((path) => !testFiles(job).includes(path))
  const modulesOf = (path: string) => [...new Set([path, ...helpers].flatMap(imported))]
  const typescript = [...Object.keys(workspace), ...Object.keys(tests)].some(isTypeScript)
  return {
    ...testsCall(job, runner, { ...dataFiles(job), ...tests }, tests, typescript, modulesOf),
    peerStdin: 'empty',
    peer: {
      files: { ...workspace, ...harnessBundle('solution.mjs', linkModules), ...ownPackage },
      command: [
        ...node,
        ...(runner.enums === 'compiled' ? ['--enable-source-maps'] : []),
        programPath('solution.mjs'),
        ...(typescript ? ['--typescript'] : []),
        ...runner.solutionOptions,
      ],
    },
  }
}

const node = [process.execPath, '--no-warnings']
// The harness must start even if the method's package.json is broken.
const ownPackage = { [`${harnessFolder}/package.json`]: '{}' }

function testsCall(
  job: TestJob,
  runner: NodeRunner,
  files: Files,
  tests: Files,
  typescript: boolean,
  modulesOf: (path: string) => string[],
): HarnessCall {
  const plan = {
    tests: nodeTestFiles(job, runner).map((path) => ({ path, modules: modulesOf(path) })),
    guarded: Object.keys(tests),
    typescript,
    isolated: !sharesProcess(job),
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
  { enums }: NodeRunner,
  explain: (path: string, error: string) => string,
): Promise<string | undefined> {
  for (const [path, text] of Object.entries(files)) {
    if (!isTypeScript(path)) continue
    const stripped = await stripTypes(text, path, enums)
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
      !path.split('/').includes('node_modules') &&
      (posix.basename(path) !== 'package.json' || text === task.files[path]),
  )
  return Object.fromEntries(data)
}
