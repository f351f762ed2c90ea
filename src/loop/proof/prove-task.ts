import { runChecks } from '../../graders/check.ts'
import { grade, isGradable } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'

/** Whether a task can tell right from wrong: its reference must pass, and handing in nothing must not. */
export interface TaskProof {
  task: string
  ok: boolean
  /** What is wrong, why it could not be proved, or what is odd about it though it is; else empty. */
  reason: string
}

/** Really grades the reference solution and the untouched files of a task. What cannot be graded is not proved. */
export async function proveTask(task: Task, run: SandboxRun, signal: AbortSignal): Promise<TaskProof> {
  try {
    return await proof(task, run, signal)
  } catch (error) {
    if (!(error instanceof InfrastructureError)) throw error
    return {
      task: task.ref,
      ok: false,
      reason: `it cannot be graded: ${error.message.replace(`${task.ref}: `, '')}`,
    }
  }
}

async function proof(task: Task, run: SandboxRun, signal: AbortSignal): Promise<TaskProof> {
  const { solution } = task.hidden
  if (!solution || !isGradable(task))
    return { task: task.ref, ok: false, reason: 'it has no reference solution to prove it with' }
  const solved = { ...task.files, ...solution.files }
  const oracle = await grade(task, { files: solved, answer: solution.answer, run, signal })
  if (!oracle.passed)
    return {
      task: task.ref,
      ok: false,
      reason: `its reference fails: ${oracle.scores.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`,
    }
  const nothing = await grade(task, { files: task.files, answer: undefined, run, signal })
  if (nothing.passed) return { task: task.ref, ok: false, reason: 'handing in nothing passes' }
  // Not the task's proof, but worth knowing: HumanEval publishes examples that its own reference contradicts.
  const visible = await runChecks(task, solved, run, signal)
  const reason =
    visible.status === 'failed' ? `but its reference fails the visible checks: ${visible.output}` : ''
  return { task: task.ref, ok: true, reason }
}
