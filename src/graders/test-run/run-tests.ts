import { runAgainIfKilled } from '../../sandbox/killed.ts'
import { type PackagePart, packagePrefix } from '../../sandbox/machine/python-packages.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import { findTool, findTools } from '../../sandbox/tools/tools.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type HarnessCall, harnessPrograms, runHarness } from './harness-run.ts'
import { runCommand } from './run-command.ts'
import { runNodeTests } from './run-node-test.ts'
import {
  harnessFolder,
  isSecret,
  removeBlockingFiles,
  sharesProcess,
  type TestJob,
  type TestRun,
  testFiles,
  testTexts,
  withTests,
} from './test-job.ts'

/** Runs test files with the runner of their specification. */
export function runTests(whole: TestJob): Promise<TestRun> {
  const { run, task } = whole
  const job = removeBlockingFiles({ ...whole, run: withPackages(run, task.spec.requires) })
  switch (job.spec.runner) {
    case 'node-test':
    case 'tsx':
    case 'jest':
    case 'vitest':
      return runNodeTests(job, job.spec.runner)
    case 'python-check':
      return runPython(job, 'check')
    case 'python-doctest':
      return runPython(job, 'doctest')
    case 'unittest':
      return runPython(job, 'unittest')
    case 'command':
      return runCommand(job)
  }
}

/** Counts passed and total tests. The total is at least `expected`, so a test that did not run counts as failed. */
export function countTests({ results, fault }: TestRun, expected: number): { passed: number; total: number } {
  const total = Math.max(expected, results.length)
  if (fault !== undefined) return { passed: 0, total }
  return { passed: results.filter(({ ok }) => ok).length, total }
}

/** Returns one line per failed test with its reason; empty if all passed. */
export function explainTests({ results, ran, fault }: TestRun, expected: number): string {
  const lines = results.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`)
  if (fault !== undefined) lines.unshift(fault)
  if (ran < expected && fault === undefined) {
    lines.push(`${ran} of ${expected} tests ran`)
  }
  return lines.join('\n')
}

async function packagesOf(requires: readonly string[]): Promise<readonly PackagePart[]> {
  const names = requires.flatMap((name) =>
    name === 'pytest' ? [`${packagePrefix}pytest`] : name.startsWith(packagePrefix) ? [name] : [],
  )
  if (names.length === 0) return []
  const tools = await findTools([...new Set(names)])
  for (const { name, found, remedy } of tools)
    if (!found && requires.includes(name)) throw new InfrastructureError(`${name} was not found. ${remedy}`)
  return tools.flatMap(({ parts = [] }) => parts)
}

/** Wraps `run` for a task: its programs see the packages that the task requires, and run again if they were killed. */
export function withPackages(start: SandboxRun, requires: readonly string[]): SandboxRun {
  const run = runAgainIfKilled(start)
  return async (command) => {
    const packages = await packagesOf(requires)
    if (packages.length === 0) return run(command)
    return run({ ...command, packages, ...(command.peer && { peer: { ...command.peer, packages } }) })
  }
}

const reporting = ['bench_report.py', 'bench_module.py']
const linked = [
  ...reporting,
  ...['values', 'library', 'kinds', 'objects', 'numpy', 'errors', 'link', 'calls', 'streams'].map(
    (name) => `bench_${name}.py`,
  ),
]

/**
 * Runs Python tests on the task's one Python file. A HumanEval-style `check(candidate)` (one test per file) calls the solution in
 * another process, unless the task asks for one. The `>>>` examples of text files (one test each), which a method sees anyway, run in
 * the solution's process. Only the standard library is available (`-S`): the result must not depend on installed packages.
 */
async function runPython(job: TestJob, mode: 'check' | 'doctest' | 'unittest'): Promise<TestRun> {
  const python = await findTool('python3')
  if (!python.found) throw new InfrastructureError(`python3 was not found. ${python.remedy}`)
  const solution = solutionFile(job)
  if (job.files[solution] === undefined) return { results: [], ran: 0, fault: `there is no ${solution}` }
  const call = mode === 'unittest' ? unittestCall(job) : callOf(job, mode, solution)
  const start = (command: readonly string[]) => [python.path, '-S', '-s', '-B', ...command]
  return runHarness(job, {
    ...call,
    command: start(call.command),
    ...(call.peer && { peer: { ...call.peer, command: start(call.peer.command) } }),
  })
}

function callOf(job: TestJob, mode: 'check' | 'doctest', solution: string): HarnessCall {
  if (mode === 'doctest') return examplesCall(job, solution)
  return sharesProcess(job) ? sharedCall(job, solution) : checkCall(job, solution)
}

function checkCall(job: TestJob, solution: string): HarnessCall {
  const entry = job.task.spec.entryPoint ?? ''
  return {
    files: { ...testTexts(job), ...harnessPrograms('python-check.py', ...linked) },
    command: [`${harnessFolder}/python-check.py`],
    job: ({ token, progress }) =>
      [token, progress, seeded(job), entry, given(job, solution), ...testFiles(job)].join('\n'),
    peer: {
      files: { ...job.files, ...harnessPrograms('python-solution.py', ...linked) },
      command: [`${harnessFolder}/python-solution.py`, solution, entry],
    },
  }
}

function sharedCall(job: TestJob, solution: string): HarnessCall {
  const entry = job.task.spec.entryPoint ?? ''
  return {
    files: {
      ...withTests(job),
      ...harnessPrograms('python-one-process.py', ...reporting, 'bench_values.py'),
    },
    command: [`${harnessFolder}/python-one-process.py`],
    job: ({ token, progress }) =>
      [token, progress, seeded(job), entry, given(job, solution), solution, ...testFiles(job)].join('\n'),
  }
}

const given = ({ task }: TestJob, solution: string) => JSON.stringify(task.files[solution] ?? '')

function examplesCall(job: TestJob, solution: string): HarnessCall {
  return {
    files: { ...withTests(job), ...harnessPrograms('python-examples.py', ...reporting) },
    command: [`${harnessFolder}/python-examples.py`],
    job: ({ token, progress }) => [token, progress, seeded(job), solution, ...testFiles(job)].join('\n'),
  }
}

/** Files of unittest run in the process of the solution: they use its classes, and Python has no stand-ins for these. */
function unittestCall(job: TestJob): HarnessCall {
  const isTest = (path: string) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path)
  const files = testFiles(job).filter((path) => job.spec.files || isTest(path))
  return {
    files: { ...withTests(job), ...harnessPrograms('python-unittest.py', ...reporting) },
    command: [`${harnessFolder}/python-unittest.py`],
    job: ({ token, progress }) =>
      [
        token,
        progress,
        seeded(job),
        isSecret(job) ? 'secret' : '',
        files.join('\0'),
        ...Object.keys(testTexts(job)),
      ].join('\n'),
  }
}

function seeded({ files, tests }: TestJob): string {
  return [...Object.values(files), ...Object.values(tests)].some((text) => text.includes('random'))
    ? 'seeded'
    : ''
}

function solutionFile({ task }: TestJob): string {
  const path = task.spec.editable.find((editable) => editable.endsWith('.py') && !/[*?[{!]/.test(editable))
  if (path === undefined) throw new InfrastructureError(`${task.ref}: no Python file is named under editable`)
  return path
}
