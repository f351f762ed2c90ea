import { runAgainIfKilled } from '../../sandbox/killed.ts'
import { type PackagePart, packagePrefix } from '../../sandbox/machine/python-packages.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { runCommand } from './run-command.ts'
import { runJest, runNodeTest } from './run-node-test.ts'
import { runPython } from './run-python.ts'
import { removeBlockingFiles, type TestJob, type TestRun } from './test-job.ts'

/** Runs test files with the runner of their specification. */
export function runTests(whole: TestJob): Promise<TestRun> {
  const { run, task } = whole
  const job = removeBlockingFiles({ ...whole, run: withPackages(run, task.spec.requires) })
  switch (job.spec.runner) {
    case 'node-test':
      return runNodeTest(job)
    case 'jest':
      return runJest(job)
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

/** Finds the Python packages that a task requires; `pytest` may be required without the prefix. */
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
