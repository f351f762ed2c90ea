import { InfrastructureError } from '../errors.ts'
import { findTool } from '../sandbox/tools.ts'
import { harnessFolder, harnessProgram, runHarness } from './harness-run.ts'
import { type TestJob, type TestRun, testFiles, withTests } from './test-job.ts'

const program = `${harnessFolder}/python-tests.py`

/**
 * Runs a HumanEval-style `check(candidate)` (one test per file), or the `>>>` examples of text files (one test each),
 * on the task's one Python file. The standard library alone is at hand (`-S`): the result must not depend on what is
 * installed on a machine.
 */
export async function runPython(job: TestJob, mode: 'check' | 'doctest'): Promise<TestRun> {
  const python = await findTool('python3')
  if (!python.found) throw new InfrastructureError(`python3 was not found. ${python.remedy}`)
  const solution = solutionFile(job)
  if (job.files[solution] === undefined) return { results: [], ran: 0, fault: `there is no ${solution}` }
  return runHarness(job, {
    files: { ...withTests(job), [program]: harnessProgram('python-tests.py') },
    command: [python.path, '-S', '-s', '-B', program],
    stdin: ({ token, progress }) =>
      [mode, token, progress, solution, job.task.spec.entryPoint ?? '', ...testFiles(job)].join('\n'),
  })
}

/** The Python file that may change. */
function solutionFile({ task }: TestJob): string {
  const path = task.spec.editable.find((editable) => editable.endsWith('.py') && !/[*?[{!]/.test(editable))
  if (path === undefined) throw new InfrastructureError(`${task.ref}: no Python file is named under editable`)
  return path
}
