import { runChecks } from '../../graders/check.ts'
import { grade, isGradable } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'

/** Whether a task's graders work: its reference solution must pass, and an empty submission must not. */
export interface TaskProof {
  task: string
  ok: boolean
  /** What is wrong, or a remark on a proved task; else empty. */
  reason: string
}

/** Grades the reference solution and the untouched files of a task. A task that cannot be graded is not proved. */
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
    return { task: task.ref, ok: false, reason: 'it has no reference solution that could prove it' }
  const solved = { ...task.files, ...solution.files }
  const oracle = await grade(task, { files: solved, answer: solution.answer, run, signal })
  if (!oracle.passed)
    return {
      task: task.ref,
      ok: false,
      reason: `its reference fails: ${oracle.scores.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`,
    }
  const nothing = await grade(task, { files: task.files, answer: undefined, run, signal })
  if (nothing.passed) return { task: task.ref, ok: false, reason: 'an empty answer passes' }
  // This does not fail the proof: HumanEval publishes examples that its own reference contradicts.
  const visible = await runChecks(task, solved, run, signal)
  const remarks = [
    ...(oracle.scores.some(({ oneProcess }) => oneProcess)
      ? ['its tests run in one process with the solution, so a solution can fake its score']
      : []),
    ...(visible.status === 'failed' ? [`but its reference fails the visible checks: ${visible.output}`] : []),
  ]
  return { task: task.ref, ok: true, reason: remarks.join('; ') }
}
