import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pytestFiles } from './pytest-files.mjs'

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

const isNodeTestFile = (path) =>
  /(?:^|\/)(?:test-[^/]*|test|[^/]+[.\-_]test)\.[cm]?[jt]s$|(?:^|\/)tests?\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/.test(
    path,
  ) && !/\.d\.[cm]?ts$/.test(path)

/** Returns the test runner that the workspace is written for, with the test files where node:test runs them; undefined if there is none. */
export function findTestRunner(workspace) {
  const files = filesOf(workspace)
  const read = (path) => textOf(join(workspace, path))
  const scripts = files.filter(isNodeTestFile)
  const importing = (name) =>
    scripts.filter((path) =>
      new RegExp(`(?:\\b(?:from|import)|\\b(?:import|require)\\()\\s*['"]${name}['"]`).test(read(path)),
    )
  const isVitest =
    files.some((path) => /^vitest\.(?:config|workspace)\.[cm]?[jt]s$/.test(path)) ||
    dependsOn(workspace, 'vitest') ||
    importing('vitest').length > 0
  if (isVitest) return { name: 'vitest', files: [] }
  const ofNode = importing('node:test')
  if (ofNode.length > 0) return { name: 'node:test', files: ofNode }
  return files.some(pytestFiles(read)) ? { name: 'pytest', files: [] } : undefined
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
