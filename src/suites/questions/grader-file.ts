import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { namedFileProblem } from '../../sandbox/folders/named-file.ts'
import type { Files } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'
import { readText } from '../read-texts.ts'

/** A file with a function that grades, and what it loads, as the hidden tests of a task. */
interface GraderFile {
  path: string
  /** Its name in `tests`. */
  name: string
  tests: Files
}

/**
 * Returns a function that reads the file that a table names, from the table's folder, once for each name; or why it cannot grade. A name
 * in a cell may lead nowhere else.
 */
export function graderFiles(table: string) {
  const read = new Map<string, GraderFile | { problem: Omit<Problem, 'where'> }>()
  return (name: string, isTyped: boolean) => {
    const known = read.get(name)
    if (known) return known
    const file = readGraderFile(dirname(table), name, isTyped)
    read.set(name, file)
    return file
  }
}

function readGraderFile(
  folder: string,
  name: string,
  isTyped: boolean,
): GraderFile | { problem: Omit<Problem, 'where'> } {
  const refused = isTyped ? undefined : namedFileProblem(folder, name, 'the folder of the table')
  if (refused) return { problem: { ...refused, what: `${name} ${refused.what}` } }
  const path = resolve(folder, name)
  if (!isPlainFile(path)) return { problem: missing(folder, name) }
  const problems: Problem[] = []
  const tests: Record<string, string> = {}
  for (const part of [...Object.keys(readSources(path)), ...pythonModules(path)]) {
    if (part.startsWith('..'))
      return {
        problem: {
          what: `${name} names ${part}, which is outside of its folder`,
          fix: 'Put what it loads beside it.',
        },
      }
    const text = readText(join(dirname(path), part), problems)
    if (text !== undefined) tests[part] = text
  }
  const [problem] = problems
  return problem
    ? { problem: { what: `${problem.where} ${problem.what}`, fix: problem.fix } }
    : { path, name: basename(path), tests }
}

/** A path that is typed begins where the user is; that of a table cannot. */
function missing(folder: string, name: string): Omit<Problem, 'where'> {
  const here = resolve(name)
  const fix = existsSync(here)
    ? `Its path begins at the folder of the table: write ${relative(folder, here)}.`
    : 'Write the file, or correct its name; its path begins at the folder of the table.'
  return { what: `there is no file ${join(folder, name)}`, fix }
}

/** Python loads `rules` from `rules.py` beside a module, and what that loads. */
function pythonModules(path: string): string[] {
  const found = new Set<string>()
  const open = path.endsWith('.py') ? [path] : []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const text = readText(next, []) ?? ''
    for (const [, module = ''] of text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm)) {
      const file = join(dirname(path), `${module}.py`)
      if (found.has(`${module}.py`) || file === path || !isPlainFile(file)) continue
      found.add(`${module}.py`)
      open.push(file)
    }
  }
  return [...found]
}
