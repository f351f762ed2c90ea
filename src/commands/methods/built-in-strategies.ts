import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strategies } from '../../../strategies/index.ts'
import { packageRoot } from '../../base/package-root.ts'
import type { KnownStrategy } from '../../loop/plan/method-spec.ts'
import { sha256 } from '../../text/canonical-json.ts'

/** Returns the built-in strategies, each with a digest of its source and of the modules that strategies share. */
export function builtInStrategies(): KnownStrategy[] {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? '.ts' : '.js'
  const base = isSource ? packageRoot() : join(packageRoot(), 'dist')
  const shared = ['src/formats', 'src/orchestration'].flatMap((folder) =>
    readdirSync(join(base, folder))
      .filter((file) => file.endsWith(ending))
      .sort()
      .flatMap((file) => [Buffer.from('\n'), readFileSync(join(base, folder, file))]),
  )
  return strategies.map((strategy) => {
    const own = readFileSync(join(base, 'strategies', `${strategy.name}${ending}`))
    return { strategy, digest: sha256(Buffer.concat([own, ...shared])) }
  })
}
