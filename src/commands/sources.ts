import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { strategies } from '../../strategies/index.ts'
import { sha256 } from '../canonical.ts'
import { UserError } from '../errors.ts'
import type { KnownStrategy } from '../loop/methods.ts'
import { packageRoot } from '../package-root.ts'
import type { Strategy } from '../strategy.ts'

/** The built-in strategies, each with the digest of its source and of the machinery that strategies lean on. */
export function builtInStrategies(): KnownStrategy[] {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? '.ts' : '.js'
  const base = isSource ? packageRoot() : join(packageRoot(), 'dist')
  const shared = join(base, 'src/orchestration')
  const machinery = readdirSync(shared)
    .filter((file) => file.endsWith(ending) && !file.endsWith('.d.ts'))
    .sort()
    .map((file) => readFileSync(join(shared, file), 'utf8'))
  return strategies.map((strategy) => {
    const own = readFileSync(join(base, 'strategies', `${strategy.name}${ending}`), 'utf8')
    return { strategy, digest: sha256([own, ...machinery].join('\n')) }
  })
}

/** Whether a method is given as a file: `./my-strategy.mjs[option=value]`. */
export function isFile(name: string): boolean {
  return /^(\.{0,2}\/|[a-z]:\\)/i.test(name) || /\.m?js$/.test(name)
}

/** Loads a strategy of the user's own. Throws `UserError` when the file is missing, breaks, or exports none. */
export async function strategyFromFile(path: string): Promise<KnownStrategy> {
  const where = `--methods ${path}`
  const file = resolve(path)
  if (!existsSync(file)) throw new UserError({ where, what: 'there is no such file' })
  let module: Record<string, unknown>
  try {
    module = await import(pathToFileURL(file).href)
  } catch (error) {
    throw new UserError({
      where,
      what: `cannot be loaded: ${(error as Error).message}`,
      fix: 'It must be an ES module of JavaScript.',
    })
  }
  const strategy = [module.default, ...Object.values(module)].find(isStrategy)
  if (!strategy)
    throw new UserError({
      where,
      what: 'exports no strategy',
      fix: 'Export one made with defineStrategy; see docs/guides/add-a-strategy.md.',
    })
  return { strategy, digest: sha256(readFileSync(file)) }
}

function isStrategy(value: unknown): value is Strategy {
  const strategy = value as Partial<Strategy> | null | undefined
  return (
    typeof strategy?.run === 'function' &&
    typeof strategy.name === 'string' &&
    typeof strategy.roles === 'object'
  )
}
