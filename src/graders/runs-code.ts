import type { Task } from '../schema/task.ts'
import { graders } from './registry.ts'

/** Whether a task's visible checks or graders start programs on what was delivered. */
export function runsCode({ spec }: Pick<Task, 'spec'>): boolean {
  return spec.checks !== undefined || spec.graders.some(({ kind }) => graders[kind].runsCode)
}
