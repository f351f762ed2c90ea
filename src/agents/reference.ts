import type { Files, Task } from '../schema/task.ts'

/** A task's reference, as the simulator and the oracle read it: files over the workspace's, or the answer. */
export type Reference = { files: Files } | { answer: string }

/**
 * The reference of a task; undefined where it has none. Only simulated agents and the oracle may call this: whatever
 * it gives must leave them as a candidate only. An answer may stand in a grader instead of the solution.
 */
export function referenceOf({ spec, hidden }: Task): Reference | undefined {
  const { solution } = hidden
  if (spec.output !== 'answer') return solution?.files && { files: solution.files }
  if (solution?.answer !== undefined) return { answer: solution.answer.trim() }
  for (const grader of spec.graders) {
    if ('answer' in grader && grader.answer !== undefined) return { answer: String(grader.answer) }
  }
  return undefined
}

/** Equal texts, but for a newline at the end, which a fenced block cannot tell. */
export function sameText(a: string | null | undefined, b: string | null | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'string' || typeof b !== 'string') return false
  return a === `${b}\n` || `${a}\n` === b
}
