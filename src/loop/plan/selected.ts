import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

/** What one selector gives. */
export interface Selected {
  tasks: readonly Task[]
  problems: Problem[]
  selector: string
  /** For the user. */
  notes?: readonly string[]
  /** Items of the source that could not be read and were left out; 0 or absent if there were none. */
  skipped?: number
}

/** Returns a note, not an error, if there are fewer tasks than wanted: a resumed run repeats its selection, and tasks may be gone. */
export function tooFewNote(item: string, wanted: number, there: number): string[] {
  if (wanted <= there) return []
  return [`--tasks ${item} asks for ${wanted} tasks, but there are ${there}; all of them are used`]
}
