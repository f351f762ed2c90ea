import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { loadTaskFolder, noTaskFolder, suiteOf, taskFolders } from '../../suites/native.ts'
import type { LoadedSuite } from '../../suites/suite.ts'

/** The names of a built-in task. They are folder names, so tasks can be selected without reading them. */
export interface BuiltInName {
  /** `suite/id`. */
  ref: string
  suite: string
  id: string
  folder: string
}

/** Returns the folders of the built-in suites. */
function suiteFolders(): string[] {
  const folder = join(packageRoot(), 'tasks')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
}

/** Returns the names of all built-in tasks, suite by suite. */
export function builtInNames(): readonly BuiltInName[] {
  return suiteFolders()
    .flatMap(taskFolders)
    .map((folder) => {
      const [suite, id] = [suiteOf(folder), basename(folder)]
      return { ref: `${suite}/${id}`, suite, id, folder }
    })
}

/** Reads all built-in tasks, suite by suite, with all problems in their folders. */
export function builtInTasks(): LoadedSuite {
  const { tasks, problems } = loadBuiltIn(builtInNames())
  const empty = suiteFolders().filter((folder) => taskFolders(folder).length === 0)
  return { tasks, problems: [...problems, ...empty.map(noTaskFolder)] }
}

/** Reads the chosen built-in tasks. */
export function loadBuiltIn(chosen: readonly BuiltInName[]): LoadedSuite {
  const read = chosen.map(({ folder }) => loadTaskFolder(folder))
  return { tasks: read.flatMap(({ tasks }) => tasks), problems: read.flatMap(({ problems }) => problems) }
}
