import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { namedFileProblem } from '../../sandbox/folders/named-file.ts'
import type { RunDefaults } from '../../schema/run/config.ts'
import { parseGrader } from '../../suites/questions/settings.ts'
import { type NamedSource, parseSource } from '../../suites/select.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'

/** Returns the files and folders from which `run.tasks` of a config file reads tasks. */
export const taskPaths = (run: RunDefaults): string[] => sourcesIn(run).map(({ path }) => path)

/** Returns the files with functions that grade, which `run.tasks` of a config file names with `?grader=`. */
export const taskGraders = (run: RunDefaults): string[] =>
  sourcesIn(run).flatMap(({ path, parameters: { grader = '' } }) => {
    const named = parseGrader(grader)
    return typeof named === 'object' ? [join(dirname(path), named.file)] : []
  })

function sourcesIn({ tasks = [] }: RunDefaults): NamedSource[] {
  const items = [tasks].flat().flatMap((text) => String(text).split(','))
  return items.flatMap((item) => {
    try {
      return item.includes(':') ? [parseSource(item.trim())] : []
    } catch (error) {
      // Whoever reads the tasks tells this mistake.
      if (error instanceof UserError) return []
      throw error
    }
  })
}

/**
 * Returns what is wrong with the files and folders that a selection of tasks reads: those outside of the working folder, links to such,
 * and keys.
 */
export const taskPathProblems = (run: RunDefaults): Omit<Problem, 'where'>[] =>
  [...taskPaths(run), ...taskGraders(run)].flatMap((path) => {
    const [problem] = [path, ...linksIn(path)].flatMap((one) => {
      const wrong = namedFileProblem('.', one)
      return wrong ? [{ ...wrong, what: `${one} ${wrong.what}` }] : []
    })
    return problem ?? []
  })

/** Returns what is wrong with the paths in `run.tasks`: a config file may name no more than a document may. */
export const configTaskProblems = ({ config, where }: ConfigFile): Problem[] =>
  taskPathProblems(config.run ?? {}).map((problem) => ({
    ...problem,
    where: where('run', 'tasks'),
    fix: `${problem.fix} Or type it: --tasks.`,
  }))

/** Throws `UserError` with these problems, if there are any. */
export function requireTasksInside(config: ConfigFile): void {
  const problems = configTaskProblems(config)
  if (problems.length > 0) throw new UserError(problems)
}

function linksIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    const links = entries.filter((entry) => entry.isSymbolicLink())
    return links.map(({ parentPath, name }) => relative('.', join(parentPath, name)))
  } catch {
    return []
  }
}
