import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

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

/**
 * Returns what `--reporter` needs for JUnit XML in the file `junit`. A project may give the reporter `junit` options, such as a file of
 * its own, and vitest keeps them; a reporter of another name has none. Versions without the class take the name.
 */
export function junitReporter(junit, vitest) {
  const home = dirname(vitest.at(-1))
  const module = ['node.js', 'reporters.js']
    .map((name) => join(home, 'dist', name))
    .find((path) => existsSync(path) && textOf(path).includes('JUnitReporter'))
  if (module === undefined) return 'junit'
  const path = `${junit}.reporter.mjs`
  writeFileSync(
    path,
    `import { JUnitReporter } from ${JSON.stringify(pathToFileURL(module).href)}
export default class extends JUnitReporter {
  constructor() {
    super({ outputFile: ${JSON.stringify(junit)} })
  }
}
`,
  )
  return path
}

// How each tool is started: test runners print their usual output, and write JUnit XML into a file beside it.

/** In milliseconds. */
const day = 86_400_000

/**
 * The commands of test runners by name. `programs` has the paths of `node`, `python` and the tool's own start file, and a reporter of vitest; `more` are
 * further words, such as files.
 */
export const testCommands = {
  // One file at a time, and no test that is shown for being slow: two runs print the same in the same order.
  vitest: (junit, { vitest, reporter = 'junit' }, more = []) => [
    ...[...vitest, 'run', '--reporter=default', `--reporter=${reporter}`],
    ...['--no-file-parallelism', `--slowTestThreshold=${day}`, `--outputFile=${junit}`, ...more],
  ],
  'node:test': (junit, { node, loader }, more = []) => [
    ...[node, ...(loader === undefined ? [] : ['--no-warnings', `--import=${loader}`])],
    ...['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=junit', `--test-reporter-destination=${junit}`, ...more],
  ],
  // The older family of the format names the file and the line of each test. Folders of its own are numbered by run. An empty
  // cache makes runs equal, and leaves options such as `--lf` known.
  pytest: (junit, { python }, more = []) => [
    ...[python, '-m', 'pytest', '-p', 'no:randomly'],
    ...[
      '-o',
      `cache_dir=${junit}.cache`,
      '-o',
      'junit_family=xunit1',
      `--junitxml=${junit}`,
      `--basetemp=${junit}.tmp`,
      ...more,
    ],
  ],
}

/** The commands of build checkers by name. */
export const buildCommands = {
  // `--build` is only known as the first word.
  tsc: ({ tsc }, more) => [...tsc, ...more, ...(more.includes('--pretty') ? [] : ['--pretty', 'false'])],
  vite: ({ vite }, more) => [...vite, 'build', ...more],
}
