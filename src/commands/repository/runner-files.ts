import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Files } from '../../schema/task.ts'
import { readConfig } from './runner-config.ts'

/** The files that a runner runs. */
export interface RunnerFiles {
  /** Test files, by path. */
  files: string[]
  /** Modules to load before them. */
  setup: string[]
  /** What they need that bench does not have, such as jsdom. */
  environment?: string
}

const code = '{js,mjs,cjs,ts,mts,cts,jsx,tsx}'
const neverTests = ['**/node_modules/**', '**/dist/**', '**/.git/**', '**/*.d.{ts,mts,cts}']

/** Returns the files that `vitest OPTIONS` runs. */
export function vitestFiles(options: readonly string[], files: Files): RunnerFiles {
  const config = readConfig(
    configFile(options, files, /^(?:vitest|vite)\.config\.[cm]?[jt]s$/, ['vitest', 'vite']),
    files,
  )
  const filters = words(options, vitestTakes).filter((word) => !vitestCommands.has(word))
  const root = config.dir?.[0] ?? optionOf(options, '--dir') ?? ''
  return matched(files, {
    include: config.include ?? [`**/*.{test,spec}.${code}`],
    exclude: config.exclude ?? [],
    accepts: (path) =>
      path.startsWith(clean(root)) &&
      (filters.length === 0 || filters.some((one) => path.includes(clean(one)))),
    ...settingsOf(config.setupFiles, optionOf(options, '--environment') ?? config.environment?.[0]),
  })
}

const vitestCommands = new Set(['run', 'watch', 'dev', 'related'])
const vitestTakes =
  /^(?:-c|--config|-t|--testNamePattern|--project|--dir|-r|--root|--reporter|--environment|--pool|--mode|--outputFile|--retry|--testTimeout|--maxWorkers|--coverage\.\S+)$/

/** Returns the files that `jest OPTIONS` runs. */
export function jestFiles(options: readonly string[], files: Files): RunnerFiles {
  const config = readConfig(
    configFile(options, files, /^jest\.config\.(?:[cm]?[jt]s|json)$/, ['jest']),
    files,
  )
  const filters = words(options, jestTakes)
  const roots = (config.roots ?? config.rootDir ?? ['']).map(clean)
  const regexes = config.testRegex?.map((one) => new RegExp(one))
  const ignored = config.testPathIgnorePatterns?.map((one) => new RegExp(clean(one)))
  const include = config.testMatch ?? [`**/__tests__/**/*.${code}`, `**/?(*.)+(spec|test).${code}`]
  return matched(files, {
    include: regexes ? ['**'] : include,
    exclude: [],
    accepts: (path) =>
      roots.some((root) => path.startsWith(root)) &&
      !ignored?.some((one) => one.test(`/${path}`)) &&
      (!regexes || regexes.some((one) => one.test(`/${path}`))) &&
      (filters.length === 0 || filters.some((one) => new RegExp(clean(one)).test(path))),
    ...settingsOf(
      [...(config.setupFiles ?? []), ...(config.setupFilesAfterEnv ?? [])],
      optionOf(options, '--env') ?? config.testEnvironment?.[0],
    ),
  })
}

const jestTakes =
  /^(?:-c|--config|-t|--testNamePattern|--env|--testEnvironment|--reporters|-w|--maxWorkers|--selectProjects|--coverageThreshold|--rootDir|--testTimeout)$/

/** Returns the files that `node --test OPTIONS` runs, by the names that Node looks for if none is given. */
export function nodeTestFiles(options: readonly string[], files: Files): RunnerFiles {
  const given = words(options, nodeTakes).map(clean)
  const isFolder = (path: string) => Object.keys(files).some((one) => one.startsWith(`${path}/`))
  const include = given.flatMap((one) =>
    isFolder(one.replace(/\/$/, '')) ? [`${one.replace(/\/$/, '')}/**`] : [one],
  )
  const setup = [...options.join(' ').matchAll(/(?:--import|--require|-r)[= ](\.\S+)/g)].map(
    ([, path]) => path as string,
  )
  return matched(files, {
    include:
      include.length > 0
        ? include
        : [`**/test/**/*.${code}`, `**/{test,test-*,*.test,*-test,*_test}.${code}`],
    exclude: [],
    accepts: () => true,
    ...settingsOf(setup, undefined),
  })
}

const nodeTakes =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--test-reporter|--test-reporter-destination|--test-name-pattern|--test-concurrency|--test-timeout|-C|--conditions|--env-file|--tsconfig|--coverage|--coverage-exclude|--test-coverage-\w+)$/

interface Matching {
  include: readonly string[]
  exclude: readonly string[]
  accepts(path: string): boolean
  setup: readonly string[]
  environment?: string
}

function matched(files: Files, { include, exclude, accepts, setup, ...rest }: Matching): RunnerFiles {
  const isIncluded = picomatch(include.map(clean), { dot: true })
  const isExcluded = picomatch([...neverTests, ...exclude.map(clean)], { dot: true })
  const isCode = picomatch(`**/*.${code}`, { dot: true })
  const beside = (path: string) =>
    ['', '.ts', '.js', '.mjs', '.mts', '.cjs', '/index.ts', '/index.js'].map((ending) => clean(path) + ending)
  return {
    files: Object.keys(files)
      .filter((path) => isCode(path) && isIncluded(path) && !isExcluded(path) && accepts(path))
      .sort(),
    setup: setup.flatMap((path) => beside(path).find((one) => files[one] !== undefined) ?? []),
    ...rest,
  }
}

const settingsOf = (setup: readonly string[] = [], environment: string | undefined) => ({
  setup,
  ...(environment !== undefined && { environment: environment.replace(/^jest-environment-/, '') }),
})

/** Returns the words that are neither options nor their values. */
const words = (options: readonly string[], takes: RegExp): string[] =>
  options.filter((word, i) => !word.startsWith('-') && !takes.test(options[i - 1] ?? ''))

function optionOf(options: readonly string[], name: string): string | undefined {
  const at = options.findIndex((word) => word === name || word.startsWith(`${name}=`))
  if (at === -1) return undefined
  return options[at] === name ? options[at + 1] : options[at]?.slice(name.length + 1)
}

/** Returns the path of the configuration: a file, or the key of `package.json` that holds it. */
function configFile(
  options: readonly string[],
  files: Files,
  usual: RegExp,
  order: readonly string[],
): string | undefined {
  const given = optionOf(options, '--config') ?? optionOf(options, '-c')
  if (given !== undefined) return clean(given)
  const found = Object.keys(files).filter((path) => usual.test(path))
  return order.flatMap((name) => found.find((path) => path.startsWith(`${name}.`)) ?? [])[0]
}

/** Returns a path or glob as paths of the repository are written. */
const clean = (path: string) => posix.normalize(path.replace(/^<rootDir>\/?/, '')).replace(/^\.\/?/, '')
