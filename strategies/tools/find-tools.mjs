import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

/** Folders in which no source of the project is; those whose names begin with a dot are none either. */
const passedOver = new Set(['node_modules', 'dist', 'build', 'coverage', '__pycache__', 'venv'])
const isPassedOver = (name) => name.startsWith('.') || passedOver.has(name)
const mostFiles = 20_000

/** Returns the paths of the workspace's own files, with `/`, sorted. */
export function filesOf(workspace) {
  const found = []
  const visit = (folder) => {
    for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (found.length >= mostFiles) return
      if (entry.isDirectory() && !isPassedOver(entry.name)) visit(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  visit('')
  return found.sort()
}

/** Returns a file's text; an empty one if it cannot be read. */
export function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether the workspace's package.json names a package, as a dependency of any kind. */
export function dependsOn(workspace, name) {
  try {
    const { dependencies, devDependencies } = JSON.parse(textOf(join(workspace, 'package.json')))
    return Object.hasOwn({ ...dependencies, ...devDependencies }, name)
  } catch {
    return false
  }
}

/** Returns the command that starts a package's program: from node_modules of the workspace or above, else from PATH; or undefined. */
export function findProgram(workspace, packageName, program) {
  for (let folder = resolve(workspace); ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', packageName)
    const { bin } = JSON.parse(textOf(join(home, 'package.json')) || '{}')
    const start = typeof bin === 'string' ? bin : bin?.[program]
    if (start !== undefined && existsSync(join(home, start))) return [process.execPath, join(home, start)]
    if (dirname(folder) === folder) break
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  const found = onPath.find((path) => existsSync(path))
  return found === undefined ? undefined : [found]
}
