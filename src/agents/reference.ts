import type { Files, Task } from '../schema/task.ts'
import { fenceFor } from '../text/fence.ts'

type Reference = { files: Files } | { answer: string }

/**
 * Returns the reference of a task, or undefined if it has none. Only simulated agents and the oracle may call this, and
 * they may use the result only as a submission. The answer may come from a grader instead of the solution.
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

/** Whether two texts are equal, apart from a final newline, which a fenced block cannot express. */
export function sameText(a: string | null | undefined, b: string | null | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'string' || typeof b !== 'string') return false
  return a === `${b}\n` || `${a}\n` === b
}

/** Files by path as a submission leaves them; null removes the file. */
export type Overlay = Readonly<Record<string, string | null>>

/** One possible submission of a producing role. */
export type Submission = { files: Overlay } | { answer: string }

/** Writes file blocks for all files of an overlay that differ from the current files; empty if none differs. */
export function fileBlocks(overlay: Overlay, current: Readonly<Record<string, string>>): string {
  const blocks: string[] = []
  for (const path of Object.keys(overlay).sort()) {
    const content = overlay[path] as string | null
    if (sameText(content, current[path] ?? null)) continue
    blocks.push(content === null ? `DELETE: ${path}\n` : fileBlock(path, content))
  }
  return blocks.join('\n')
}

function fileBlock(path: string, content: string): string {
  const fence = fenceFor([content])
  const language = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return `FILE: ${path}\n${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}\n`
}
