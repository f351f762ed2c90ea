import type { Task } from '../schema/task.ts'
import { taskId } from '../suites/make-task.ts'

/** The task of bench that a source means, and how it was found; else why it is none. */
export type NamedTask = { ref: string; by: 'prompt' | 'id' } | { why: 'unknown' | 'several' | 'other-prompt' }

/**
 * Returns a function that finds the task of a source's reply, by its id and by the prompt that was sent. The prompt decides where
 * there is one: an id may be counted from 0 in the source and from 1 here, and then names another task.
 */
export function nameTasks(tasks: readonly Task[]): (id: string, prompt: string | undefined) => NamedTask {
  const byId = new Map<string, Task[]>()
  for (const task of tasks)
    for (const id of new Set([task.ref, task.spec.id])) byId.set(id, [...(byId.get(id) ?? []), task])
  const asked = tasks.map((task) => ({ task, texts: textsOf(task) }))
  return (id, prompt) => {
    const named = byId.get(id) ?? byId.get(taskId(id)) ?? []
    if (prompt === undefined) return oneOf(named, 'id')
    const sent = plain(prompt)
    const found = named.filter((task) => textsOf(task).some((text) => sent.includes(text)))
    if (found.length > 0) return oneOf(found, 'prompt')
    const ends = asked.map(({ task, texts }) => ({
      task,
      end: Math.max(...texts.map((text) => endIn(sent, text))),
    }))
    const last = ends.reduce((most, { end }) => Math.max(most, end), 0)
    if (last === 0) return { why: named.length > 0 ? 'other-prompt' : 'unknown' }
    // A prompt may show worked examples, which are tasks too: the last of them is the one that was asked.
    const lastOnes = ends.filter(({ end }) => end === last).map(({ task }) => task)
    const longest = Math.max(...lastOnes.map(lengthOf))
    return oneOf(
      lastOnes.filter((task) => lengthOf(task) === longest),
      'prompt',
    )
  }
}

function oneOf(tasks: readonly Task[], by: 'prompt' | 'id'): NamedTask {
  const [task, ...others] = tasks
  if (!task) return { why: 'unknown' }
  return others.length > 0 ? { why: 'several' } : { ref: task.ref, by }
}

/** Letters and numbers alone: prompts write marks of options, quotes and line ends in their own way. */
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** Returns the texts of a task that a prompt for it contains: its instruction, or one of its files. */
const textsOf = ({ instruction, files }: Task): string[] =>
  [instruction, ...Object.values(files)].map(plain).filter((text) => text !== '')

const lengthOf = (task: Task) => Math.max(...textsOf(task).map(({ length }) => length))

/** Returns where the last occurrence of a text ends; 0 if there is none. */
function endIn(sent: string, text: string): number {
  const at = sent.lastIndexOf(text)
  return at < 0 ? 0 : at + text.length
}
