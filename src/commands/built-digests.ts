import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'

/** SHA-256 of what this bench was built of. */
export interface BuiltDigests {
  graders: string
  code: string
  /** Of each built-in strategy with what it leans on, by its name. */
  strategies: Record<string, string>
}

let known: BuiltDigests | null | undefined

/** What the build noted of its sources; null: it was never built. */
export function builtDigests(): BuiltDigests | null {
  const file = join(packageRoot(), 'dist/bench/digests.json')
  known ??= existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BuiltDigests) : null
  return known
}
