import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

/** What one selector gives. */
export interface Selected {
  tasks: readonly Task[]
  problems: Problem[]
  selector: string
  note?: string
}

/** Returns a note, not an error, if there are fewer tasks than wanted: a resumed run repeats its selection, and tasks may be gone. */
export function tooFewNote(item: string, wanted: number, there: number): { note?: string } {
  if (wanted <= there) return {}
  return { note: `--tasks ${item} asks for ${wanted} tasks, but there are ${there}; all of them are used` }
}
