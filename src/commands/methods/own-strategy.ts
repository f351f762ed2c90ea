import { existsSync, readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import type { Jiti } from 'jiti'
import * as author from '../../author.ts'
import type { KnownStrategy } from '../../loop/plan/method-spec.ts'
import type { Strategy } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { loadOwn } from '../../user-code/load-module.ts'
import { mapPlaces } from '../../user-code/module-place.ts'
import { strategyProblems } from './strategy-problems.ts'

const endings = /\.m?[jt]s$/

/** Whether a method is given as a file: `./my-strategy.ts[option=value]`. */
export function isFile(name: string): boolean {
  return /^(\.{0,2}\/|[a-z]:\\)/i.test(name) || endings.test(name)
}

/**
 * Loads a strategy of the user's own from TypeScript or JavaScript. Its digest is that of the file and of all files that
 * it imports by a relative path. Throws `UserError` when the file is missing, breaks, or exports no strategy, or with
 * all that is wrong with the one that it exports; `where` is the address told.
 */
export async function strategyFromFile(path: string, where = `--methods ${path}`): Promise<KnownStrategy> {
  const file = resolve(path)
  const wrong = (what: string, fix: string) => new UserError({ where, what, fix })
  if (!existsSync(file))
    throw wrong('there is no such file', `Looked at ${file}; a path starts where bench is called.`)
  if (!isPlainFile(file) || !endings.test(file))
    throw wrong('is no module', 'Give a file that ends in .ts, .mts, .js or .mjs.')
  let module: Record<string, unknown>
  try {
    module = await loadOwn(`the strategy file ${path}`, () => importModule(file))
  } catch (error) {
    throw wrong(
      `cannot be loaded: ${reasonOf(error, dirname(file))}`,
      'It must be an ES module of TypeScript or JavaScript that runs when it is imported.',
    )
  }
  const strategy = exported(module, wrong)
  const problems = strategyProblems(strategy)
  if (problems.length > 0)
    throw new UserError(problems.map((what) => ({ where, what, fix: 'See docs/guides/add-a-strategy.md.' })))
  return { strategy: strategy as Strategy, digest: digest(sourcesOf(file)) }
}

/** The default export, else the only one that looks like a strategy. */
function exported(module: Record<string, unknown>, wrong: (what: string, fix: string) => UserError): unknown {
  if (module.default !== undefined) return module.default
  const named = Object.keys(module).filter((name) => isLikeStrategy(module[name]))
  const [only] = named
  if (only !== undefined && named.length === 1) return module[only]
  throw named.length === 0
    ? wrong(
        'exports no strategy',
        'Write `export default defineStrategy({ … })`; see docs/guides/add-a-strategy.md.',
      )
    : wrong(
        `exports several strategies (${named.join(', ')}), and none by default`,
        'Write `export default` before the one that is meant, and give each other one a file of its own.',
      )
}

function isLikeStrategy(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'run' in value && 'roles' in value
}

/**
 * One loader for all of them, so that a file means the same on every Node: none before 22.18 reads TypeScript by itself.
 * What a strategy takes from this package is what runs it, wherever the file lies.
 */
async function importModule(file: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  const settings = { fsCache: false, moduleCache: false, interopDefault: false }
  mapSources(
    Object.keys(sourcesOf(file)).map((name) => resolve(dirname(file), name)),
    createJiti(file, { ...settings, sourceMaps: true }),
  )
  const jiti = createJiti(file, {
    ...settings,
    virtualModules: { 'orchestration-bench': author },
  })
  return jiti.import(file)
}

/** What went wrong in one line, with its place in the user's files where the error tells it. */
function reasonOf(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const [said = '', ...more] = error.message.split('\n').map((line) => line.trim())
  const place = [...more, ...(error.stack?.split('\n') ?? [])].find((line) => line.includes(folder))
  const at = place?.slice(place.indexOf(folder)).replace(/\)$/, '')
  return `${said.replace(/^ParseError:\s*/, '')}${at && !said.includes(at) ? ` (${at})` : ''}`
}

const imported = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/** Source texts by path from the strategy's folder: its own, and of what it imports by a relative path. */
function sourcesOf(file: string): Record<string, string> {
  const sources: Record<string, string> = {}
  const open = [file]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const name = relative(dirname(file), path)
    if (Object.hasOwn(sources, name)) continue
    const text = readFileSync(path, 'utf8')
    sources[name] = text
    for (const [, , specifier = ''] of text.matchAll(imported)) {
      const named = resolve(dirname(path), specifier)
      const found = [named, named.replace(/js$/, 'ts'), `${named}.ts`, `${named}.js`, `${named}.mjs`].find(
        isPlainFile,
      )
      if (found !== undefined) open.push(found)
    }
  }
  return sources
}

function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Maps stack positions back to the author's source. jiti keeps each line of a file in its place and changes what stands in it. A map
 * is made when something was thrown, by the steps that jiti took; `jiti` must make maps.
 */
function mapSources(files: readonly string[], jiti: Jiti): void {
  for (const file of files) {
    let map: SourceMap | undefined
    mapPlaces(file, (line, column) => {
      try {
        map ??= mapOf(file, jiti)
        const { originalLine, originalColumn } = map.findEntry(line - 1, column - 1) as SourceMapping
        if (originalLine === line - 1) return { line, column: originalColumn + 1 }
      } catch {
        // The file has gone or was changed since: the place as it ran is the best that is known.
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
