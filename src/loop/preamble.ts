import { sha256 } from '../canonical.ts'
import type { Task, TaskSpec } from '../schema/task.ts'

const contracts: Record<TaskSpec['output'], string> = {
  answer: 'End your reply with one line of the form `Answer: <your answer>` and nothing after it.',
  function:
    'Reply with the whole function in one fenced code block. If you rewrite its file, put the line `FILE: <path>` directly before a fenced block with the whole file.',
  files:
    'For each file that you change or add, write the line `FILE: <path>` directly followed by a fenced block with the whole new content; to remove a file write `DELETE: <path>`. Files that you do not name stay as they are.',
}

/** SHA-256 of the part of the preamble that all tasks share; it stands in run.json. */
export const preambleHash = sha256(JSON.stringify(contracts))

const instructions = new WeakMap<Task, string>()

/** The task's text with its output contract: the same words for every producing role of every method. */
export function instructionOf(task: Task): string {
  let text = instructions.get(task)
  if (text === undefined) {
    const editable = task.spec.editable.length > 0 ? `\nYou may change: ${task.spec.editable.join(', ')}` : ''
    text = `# Task\n${task.instruction.trim()}\n\n# What to hand in\n${contracts[task.spec.output]}${editable}\n`
    instructions.set(task, text)
  }
  return text
}
