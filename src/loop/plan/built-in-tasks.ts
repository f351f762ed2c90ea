import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { loadTaskFolder, noTaskFolder, suiteOf, taskFolders } from '../../suites/native.ts'
import type { LoadedSuite } from '../../suites/suite.ts'

/** A built-in task by its names, which are those of its folders: to select one of them, none has to be read. */
export interface BuiltInName {
  /** `suite/id`. */
  ref: string
  suite: string
  id: string
  folder: string
}

/** Folders of the built-in suites. */
function suiteFolders(): string[] {
  const folder = join(packageRoot(), 'tasks')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
}

/** Names of all built-in tasks, suite by suite. */
export function builtInNames(): readonly BuiltInName[] {
  return suiteFolders()
    .flatMap(taskFolders)
    .map((folder) => {
      const [suite, id] = [suiteOf(folder), basename(folder)]
      return { ref: `${suite}/${id}`, suite, id, folder }
    })
}

/** All built-in tasks, suite by suite, and all that is wrong with their folders. */
export function builtInTasks(): LoadedSuite {
  const { tasks, problems } = loadBuiltIn(builtInNames())
  const empty = suiteFolders().filter((folder) => taskFolders(folder).length === 0)
  return { tasks, problems: [...problems, ...empty.map(noTaskFolder)] }
}

/** Reads built-in tasks. */
export function loadBuiltIn(chosen: readonly BuiltInName[]): LoadedSuite {
  const read = chosen.map(({ folder }) => loadTaskFolder(folder))
  return { tasks: read.flatMap(({ tasks }) => tasks), problems: read.flatMap(({ problems }) => problems) }
}
