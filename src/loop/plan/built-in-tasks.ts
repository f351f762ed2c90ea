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

function suiteFolders(): string[] {
  const folder = join(packageRoot(), 'tasks')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
}

/** Suites that run only where they are named: `all` and a number of tasks leave them out. */
export const suitesByName: readonly string[] = ['long', 'separable', 'writing']

/** Returns the names of all built-in tasks, suite by suite. */
export function builtInNames(): readonly BuiltInName[] {
  return suiteFolders()
    .flatMap(taskFolders)
    .map((folder) => {
      const [suite, id] = [suiteOf(folder), basename(folder)]
      return { ref: `${suite}/${id}`, suite, id, folder }
    })
}

/** Returns the names of the tasks of `all`. */
export const namesOfAll = (): readonly BuiltInName[] =>
  builtInNames().filter(({ suite }) => !suitesByName.includes(suite))

/** Reads the chosen tasks, by default all, with all problems in the folders of suites. */
export function builtInTasks(chosen = builtInNames()): LoadedSuite {
  const { tasks, problems } = loadBuiltIn(chosen)
  const empty = suiteFolders().filter((folder) => taskFolders(folder).length === 0)
  return { tasks, problems: [...problems, ...empty.map(noTaskFolder)] }
}

/** Reads the chosen built-in tasks. */
export function loadBuiltIn(chosen: readonly BuiltInName[]): LoadedSuite {
  const read = chosen.map(({ folder }) => loadTaskFolder(folder))
  return { tasks: read.flatMap(({ tasks }) => tasks), problems: read.flatMap(({ problems }) => problems) }
}
