import { basename, join } from 'node:path'
import type { Problem } from '../errors.ts'
import { packageRoot } from '../package-root.ts'
import type { Task } from '../schema/task.ts'
import { loadTaskFolder, taskFolders } from '../suites/native.ts'
import { entriesOf } from '../suites/read-texts.ts'
import type { LoadedSuite } from '../suites/suite.ts'

/** A built-in task by its names, which are those of its folders: to select one of them, none has to be read. */
export interface BuiltInName {
  /** `suite/id`. */
  ref: string
  suite: string
  id: string
  folder: string
}

let names: BuiltInName[] | undefined
const loaded = new Map<string, LoadedSuite>()

/** Names of all built-in tasks, suite by suite. */
export function builtInNames(): readonly BuiltInName[] {
  const folder = join(packageRoot(), 'tasks')
  names ??= entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: suite }) =>
      taskFolders(join(folder, suite)).map((folder) => {
        const id = basename(folder)
        return { ref: `${suite}/${id}`, suite, id, folder }
      }),
    )
  return names
}

/** Reads built-in tasks, each once per process. */
export function loadBuiltIn(chosen: readonly BuiltInName[]): { tasks: Task[]; problems: Problem[] } {
  const read = chosen.map(({ folder, suite }) => {
    const suiteOfOne = loaded.get(folder) ?? loadTaskFolder(folder, suite)
    loaded.set(folder, suiteOfOne)
    return suiteOfOne
  })
  return { tasks: read.flatMap(({ tasks }) => tasks), problems: read.flatMap(({ problems }) => problems) }
}
