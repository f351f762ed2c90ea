import { digest } from '../canonical.ts'
import type { Task } from '../schema/task.ts'

/** SHA-256 over all that a task is, wherever it was read from. */
export function taskDigest({ spec, instruction, files, checks, hidden }: Omit<Task, 'digest'>): string {
  return digest({ spec, instruction, files, checks, hidden })
}
