import { counted } from '../words/numbers.ts'

/** Returns a note on tasks whose tests ran in the solution's process, as they say. */
export function oneProcessNotes(tasks = 0): string[] {
  if (tasks === 0) return []
  return [
    `The hidden tests of ${counted(tasks, 'task')} ran in the process of the solution (grading: one-process), where a solution can fake them: these scores stand outside of the promise that no wrong solution passes.`,
  ]
}
