import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Jiti } from 'jiti'
import * as author from '../../author.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { promptRemedy } from '../../loop/plan/method-spec.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Strategy } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { registerSourceMap } from '../../user-code/error-location.ts'
import { loadUserModule } from '../../user-code/load-module.ts'
import { nameFilesBeside } from '../../user-code/name-files.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'
import { builtInStrategies } from './built-in-strategies.ts'
import { strategyProblems } from './strategy-problems.ts'

// An import of a name that does not exist is undefined in jiti, and would fail somewhere else, or nowhere.
const authorModule = new Proxy<object>(
  { ...author },
  {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target) && !['__esModule', 'default', 'then'].includes(name))
        throw new Error(
          `a strategy cannot import "${name}" from 'orchestration-bench': there is no such name for strategies. See bench help add-a-strategy.`,
        )
      return Reflect.get(target, name, receiver)
    },
  },
)

const endings = /\.m?[jt]s$/

/**
 * Loads a strategy from a user's TypeScript or JavaScript file. The digest covers the file and all files that it imports by a
 * relative path. Throws `UserError` if the file is missing, throws, or exports no strategy, or with every problem of the
 * exported one; `where` is the address in the error.
 */
export async function strategyFromFile(path: string, where = `--methods ${path}`): Promise<KnownStrategy> {
  const file = resolve(path)
  const wrong = (what: string, fix: string) => new UserError({ where, what, fix })
  if (!existsSync(file))
    throw wrong(
      'there is no such file',
      `bench looked for ${file}; paths are relative to the working folder. ${nameFilesBeside(file)}`,
    )
  if (!isPlainFile(file) || !endings.test(file))
    throw wrong(
      'is not a module',
      /\.(?:md|txt)$/.test(file) ? promptRemedy(path) : 'Give a file that ends in .ts, .mts, .js or .mjs.',
    )
  let module: Record<string, unknown>
  try {
    module = await loadUserModule(`the strategy file ${path}`, () => importModule(file))
  } catch (error) {
    throw wrong(
      `cannot be loaded: ${reasonOf(error, dirname(file))}`,
      'Correct the file: bench loads it as an ES module of TypeScript or JavaScript.',
    )
  }
  const strategy = findStrategy(module, wrong)
  const problems = strategyProblems(strategy)
  if (problems.length > 0)
    throw new UserError(problems.map((what) => ({ where, what, fix: 'See bench help add-a-strategy.' })))
  return { strategy: strategy as Strategy, digest: digest(readSources(file)) }
}

/** Returns the strategies that a run has, built in or from their files. Throws `UserError` if one is not there. */
export async function strategiesOf(manifest: RunManifest): Promise<KnownStrategy[]> {
  const known = builtInStrategies()
  const strategies = new Map<string, KnownStrategy>()
  for (const { strategy, file, label } of manifest.methods) {
    const found = file
      ? await strategyFromFile(file, `run.json, method ${label}: ${file}`)
      : known.find((one) => one.strategy.name === strategy)
    if (!found)
      throw new UserError({
        where: 'run.json',
        what: `this version of bench has no strategy "${strategy}" (method ${label})`,
        fix: 'Use the version of bench that created the run.',
      })
    strategies.set(strategy, found)
  }
  return [...strategies.values()]
}

/** Returns the default export, else the only one that looks like a strategy. */
function findStrategy(
  module: Record<string, unknown>,
  wrong: (what: string, fix: string) => UserError,
): unknown {
  if (module.default !== undefined) return module.default
  const named = Object.keys(module).filter((name) => isLikeStrategy(module[name]))
  const [only] = named
  if (only !== undefined && named.length === 1) return module[only]
  throw named.length === 0
    ? wrong(
        'exports no strategy',
        'Write `export default defineStrategy({ … })`; see bench help add-a-strategy.',
      )
    : wrong(
        `exports several strategies (${named.join(', ')}), but none by default`,
        'Write `export default` before the one to run, and move the others to their own files.',
      )
}

function isLikeStrategy(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'run' in value && 'roles' in value
}

/**
 * Imports a file with jiti on every version of Node, because Node before 22.18 does not read TypeScript. The package that it
 * imports is the running one, wherever the file is.
 */
async function importModule(file: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  const settings = { fsCache: false, moduleCache: false, interopDefault: false }
  mapSources(
    Object.keys(readSources(file)).map((name) => resolve(dirname(file), name)),
    createJiti(file, { ...settings, sourceMaps: true }),
  )
  const jiti = createJiti(file, {
    ...settings,
    virtualModules: { 'orchestration-bench': authorModule },
  })
  return jiti.import(file)
}

function reasonOf(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const [message = '', ...more] = error.message.split('\n').map((line) => line.trim())
  const place = [...more, ...(error.stack?.split('\n') ?? [])].find((line) => line.includes(folder))
  const at = place?.slice(place.indexOf(folder)).replace(/\)$/, '')
  return `${message.replace(/^ParseError:\s*/, '')}${at && !message.includes(at) ? ` (${at})` : ''}`
}

/**
 * Maps stack positions back to the author's source. jiti keeps the lines of a file but changes their columns. The map is made
 * when something was thrown, by transforming the file again; `jiti` must be created with source maps.
 */
function mapSources(files: readonly string[], jiti: Jiti): void {
  for (const file of files) {
    let map: SourceMap | undefined
    registerSourceMap(file, (line, column) => {
      try {
        map ??= mapOf(file, jiti)
        const { originalLine, originalColumn } = map.findEntry(line - 1, column - 1) as SourceMapping
        if (originalLine === line - 1) return { line, column: originalColumn + 1 }
      } catch {
        // The file is gone or has changed since: the position as it ran is the best one known.
      }
      return { line, column }
    })
  }
}

function mapOf(file: string, jiti: Jiti): SourceMap {
  const source = readFileSync(file, 'utf8')
  const code = jiti.transform({ source, filename: file, ts: /\.m?ts$/.test(file), async: true })
  return new SourceMap(JSON.parse(Buffer.from(code.slice(code.lastIndexOf(',') + 1), 'base64').toString()))
}
