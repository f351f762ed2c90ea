import picomatch from 'picomatch'
import { clashingPath, isWorkspacePath } from '../sandbox/paths.ts'
import type { Files, Task } from '../schema/task.ts'

const matchers = new WeakMap<Task, (path: string) => boolean>()

/** Whether a method may change or add this path. */
function isEditable(task: Task, path: string): boolean {
  let matches = matchers.get(task)
  if (!matches) {
    matches = task.spec.editable.length > 0 ? picomatch([...task.spec.editable], { dot: true }) : () => false
    matchers.set(task, matches)
  }
  return matches(path)
}

/**
 * The files as they count: what is editable as the method left it, all else as the task has it, what was added
 * elsewhere dropped. Paths that cannot stand in a folder are dropped as well.
 */
export function finalFiles(task: Task, left: Files): Files {
  if (left === task.files) return left
  const files: Record<string, string> = {}
  for (const [path, text] of Object.entries(task.files)) {
    if (!isEditable(task, path)) files[path] = text
  }
  for (const [path, text] of Object.entries(left)) {
    if (isEditable(task, path) && isWorkspacePath(path)) files[path] = text
  }
  for (let clash = clashingPath(Object.keys(files)); clash !== undefined; ) {
    // A file where another needs a folder: the task's own stays, whatever was put below it.
    for (const path of Object.keys(files)) {
      if (isEditable(task, clash) ? path === clash : path.startsWith(`${clash}/`)) delete files[path]
    }
    clash = clashingPath(Object.keys(files))
  }
  return files
}
