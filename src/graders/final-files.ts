import { findPathConflict, isWorkspacePath } from '../sandbox/folders/paths.ts'
import type { Files, Task } from '../schema/task.ts'
import { editableIn } from '../suites/editable.ts'

/**
 * Returns the files to grade: editable files as the method left them, all others as in the task. Other new files and invalid
 * paths are dropped.
 */
export function finalFiles(task: Task, left: Files): Files {
  if (left === task.files) return left
  const isEditable = editableIn(task.spec)
  const files: Record<string, string> = {}
  for (const [path, text] of Object.entries(task.files)) {
    if (!isEditable(path)) files[path] = text
  }
  for (const [path, text] of Object.entries(left)) {
    if (isEditable(path) && isWorkspacePath(path)) files[path] = text
  }
  for (let clash = findPathConflict(Object.keys(files)); clash !== undefined; ) {
    // A file where another path needs a folder: the task's own file stays.
    for (const path of Object.keys(files)) {
      if (isEditable(clash) ? path === clash : path.startsWith(`${clash}/`)) delete files[path]
    }
    clash = findPathConflict(Object.keys(files))
  }
  return files
}
