import type { Task } from '../../schema/task.ts'
import { completePython } from './python/complete-python.ts'
import { completeScript } from './script/complete-script.ts'

/**
 * Returns the whole file of an `output: function` task from a reply's code. The code may be the whole function or module, as chat
 * models write it, a class around it, or only the body that continues the task's file, as completion models do.
 */
export function completeFunction(task: Task, code: string): string {
  const path = task.spec.editable[0]
  const prompt = (path === undefined ? undefined : task.files[path]) ?? ''
  const name = task.spec.entryPoint ?? ''
  const trimmed = code.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  if (trimmed === '') return prompt
  return task.spec.language === 'python'
    ? completePython(prompt, name, trimmed)
    : completeScript(prompt, name, trimmed)
}
