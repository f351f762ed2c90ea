import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strategies } from '../../strategies/index.ts'
import type { KnownStrategy } from '../loop/methods.ts'
import { packageRoot } from '../package-root.ts'
import { type BuiltDigests, builtDigests } from './built-digests.ts'

/** The built-in strategies, each with the digest of its source and of the machinery that strategies lean on. */
export function builtInStrategies(): KnownStrategy[] {
  // Not before it is asked for: a run needs those of its own methods, and all together are more than a megabyte.
  const digestOf = builtDigests ? digestIn(builtDigests) : sourceDigests()
  return strategies.map((strategy) => {
    let digest: string | undefined
    return {
      strategy,
      get digest() {
        digest ??= digestOf(strategy.name)
        return digest
      },
    }
  })
}

function digestIn({ strategies: known }: BuiltDigests): (name: string) => string {
  return (name) => {
    const digest = known[name]
    if (!digest) throw new Error(`the build knows no strategy ${name}`)
    return digest
  }
}

function sourceDigests(): (name: string) => string {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? '.ts' : '.js'
  const base = isSource ? packageRoot() : join(packageRoot(), 'dist')
  let machinery: Buffer | undefined
  return (name) => {
    machinery ??= Buffer.concat(
      ['src/formats', 'src/orchestration'].flatMap((folder) =>
        readdirSync(join(base, folder))
          .filter((file) => file.endsWith(ending) && !file.endsWith('.d.ts'))
          .sort()
          .flatMap((file) => [newline, readFileSync(join(base, folder, file))]),
      ),
    )
    const own = readFileSync(join(base, 'strategies', `${name}${ending}`))
    return createHash('sha256').update(own).update(machinery).digest('hex')
  }
}

const newline = Buffer.from('\n')
