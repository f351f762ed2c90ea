import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { taskDigest } from '../../suites/make-task.ts'
import type { Redactor } from '../../text/redact.ts'

/** Returns the task with secrets removed from its texts, so that no agent and no sandbox sees them; the same task when there are none. */
export function redactTask(task: Task, redact: Redactor | undefined): Task {
  if (!redact) return task
  const { spec, instruction, files, checks, hidden } = task
  const { tests, solution } = hidden
  const texts = [instruction, files, checks, tests, solution, spec.title, spec.source, spec.graders] as const
  const clean = redact.data(texts)
  if (clean === texts) return task
  const changed = {
    ...task,
    instruction: clean[0],
    files: clean[1],
    checks: clean[2],
    hidden: { tests: clean[3], ...(clean[4] && { solution: clean[4] }) },
    spec: { ...spec, title: clean[5], source: clean[6], graders: clean[7] },
  }
  return { ...changed, digest: taskDigest(changed) }
}

/** Returns a sandbox run for checks and graders that redacts a program's output before anything reads, joins or cuts it. */
export function redactRun(run: SandboxRun, redact: Redactor | undefined): SandboxRun {
  if (!redact) return run
  return async (command) => {
    const result = await run(command)
    return { ...result, stdout: redact.cut(result.stdout), stderr: redact.cut(result.stderr) }
  }
}
