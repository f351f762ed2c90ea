import { join } from 'node:path'
import { dependsOn, filesOf, textOf } from './find-tools.mjs'

/** Files that `node --test` takes by their name, and files in a folder of tests, which are helpers as well. */
const isNamedTest = (path) =>
  /(?:^|\/)(?:test-[^/]*|test|[^/]+[.\-_]test)\.[cm]?[jt]s$/.test(path) && !isDeclaration(path)
const isInTestFolder = (path) =>
  /(?:^|\/)tests?\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/.test(path) && !isDeclaration(path)
const isDeclaration = (path) => /\.d\.[cm]?ts$/.test(path)

/** Test runners that are not run here, and how a file or a project shows that it is written for one. */
const others = [
  { name: 'jest', modules: ['@jest/globals'], packages: ['jest', 'react-scripts'] },
  { name: 'mocha', modules: ['mocha'], packages: ['mocha'] },
  { name: 'jasmine', modules: ['jasmine'], packages: ['jasmine'] },
  { name: 'ava', modules: ['ava'], packages: ['ava'] },
  { name: 'playwright', modules: ['@playwright/test'], packages: [] },
  { name: 'bun', modules: ['bun:test'], packages: [] },
]

/**
 * Returns the test runners that the workspace is written for, with the files that node:test runs, and under `others` the names of
 * runners that are not run here although tests are written for them.
 */
export function findTestRunners(workspace) {
  const files = filesOf(workspace)
  const read = (path) => textOf(join(workspace, path))
  const scripts = files.filter((path) => isNamedTest(path) || isInTestFolder(path))
  const importing = (name) => scripts.filter((path) => imports(read(path), name))
  const python = files.some(pytestFiles(read)) ? [{ name: 'pytest', files: [] }] : []
  const isVitest =
    files.some((path) => /^vitest\.(?:config|workspace)\.[cm]?[jt]s$/.test(path)) ||
    dependsOn(workspace, 'vitest') ||
    importing('vitest').length > 0
  if (isVitest) return { runners: [{ name: 'vitest', files: [] }, ...python], others: [] }
  const ofNode = new Set(importing('node:test'))
  const other = new Map(
    scripts
      .filter((path) => !ofNode.has(path))
      .map((path) => [path, otherRunner(workspace, path, read(path))]),
  )
  // Node runs a file that imports no runner as one test.
  const run = scripts.filter(
    (path) => ofNode.has(path) || (isNamedTest(path) && other.get(path) === undefined),
  )
  const runners = [...(run.length > 0 ? [{ name: 'node:test', files: run }] : []), ...python]
  return { runners, others: [...new Set(other.values())].filter((name) => name !== undefined).sort() }
}

/** Returns the runner that a file of tests is written for, if it is one that is not run here. */
function otherRunner(workspace, path, text) {
  const byImport = others.find(({ modules }) => modules.some((module) => imports(text, module)))
  if (byImport) return byImport.name
  if (!isNamedTest(path) || !/\b(?:describe|it|test)\s*\(/.test(text)) return undefined
  // The functions of these runners are there without an import.
  const byPackage = others.find(({ packages }) => packages.some((name) => dependsOn(workspace, name)))
  return (
    byPackage?.name ??
    (/\bexpect\s*\(/.test(text) && !/\bexpect\b[^\n]*\b(?:from|require)\b/.test(text) ? 'jest' : undefined)
  )
}

const imports = (text, name) =>
  new RegExp(`(?:\\b(?:from|import)|\\b(?:import|require)\\()\\s*['"]${name}['"]`).test(text)

/** Where pytest reads its settings from, in its own order: the first section counts. */
const settings = [
  ['pytest.toml', 'pytest'],
  ['.pytest.toml', 'pytest'],
  ['pytest.ini', 'pytest'],
  ['.pytest.ini', 'pytest'],
  ['pyproject.toml', 'tool.pytest.ini_options'],
  ['pyproject.toml', 'tool.pytest'],
  ['tox.ini', 'pytest'],
  ['setup.cfg', 'tool:pytest'],
]

/** Returns whether pytest takes a file for one of tests. `read` returns the text of a file of the workspace. */
function pytestFiles(read) {
  const section = settings
    .map(([file, name]) => sectionOf(read(file), name))
    .find((text) => text !== undefined)
  const patterns = patternsOf(section ?? '') ?? ['test_*.py', '*_test.py']
  const tests = patterns.map((pattern) => ({ isPath: pattern.includes('/'), matches: globPattern(pattern) }))
  return (path) =>
    path.endsWith('.py') &&
    tests.some(({ isPath, matches }) => matches.test(isPath ? `/${path}` : path.split('/').at(-1)))
}

function sectionOf(text, name) {
  const [, ...sections] = text.split(/^\[(?=[^\]\n]+\][ \t]*(?:[#;].*)?$)/m)
  const found = sections.find((section) => section.startsWith(`${name}]`))
  return found?.slice(found.indexOf('\n') + 1)
}

function patternsOf(section) {
  const [, value] =
    /^python_files\s*[=:]\s*(\[[\s\S]*?\](?=\s*(?:#.*)?$)|.*(?:\n[ \t]+\S.*)*)/m.exec(section) ?? []
  if (value === undefined) return undefined
  const list = value.startsWith('[') ? value.slice(1, -1) : value
  return list
    .replace(/(^|\s)[#;].*$/gm, '')
    .split(/[\s,"']+/)
    .filter((word) => word !== '')
}

/** A pattern of fnmatch; one without a star matches the end of a path, and one without a slash a name. */
function globPattern(pattern) {
  const source = pattern.replace(/\[!/g, '[^').replace(/[.+^${}()|\\](?![^[]*\])/g, '\\$&')
  const whole = source.replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(pattern.includes('/') ? `/${whole}$` : `^${whole}$`)
}
