import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let found: string | undefined

/** Returns the folder of this package's package.json, both from source and from dist/. Built-in tasks and fixtures are found from it. */
export function packageRoot(): string {
  if (found) return found
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  found = folder
  return folder
}

/** Returns this package's version. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version
}

/** Returns the digests of the harness and of its graders that the build wrote; null if bench runs from source. */
export function harnessDigest(): { graders: string; code: string } | null {
  if (import.meta.url.endsWith('.ts')) return null
  const { graders, code } = builtDigests()
  return { graders, code }
}

/** What the build wrote about a built-in strategy. */
export interface BuiltStrategy {
  /** Of its source, of the modules that strategies share, and of its programs. */
  digest: string
  /** Of its programs alone, as they were then. */
  programs: string
}

/** Returns what the build wrote about the built-in strategies, by name; undefined where bench runs from the files that it read. */
export const builtStrategies = (): Readonly<Record<string, BuiltStrategy>> | undefined =>
  import.meta.url.endsWith('.cjs') ? builtDigests().strategies : undefined

const builtDigests = (): { graders: string; code: string; strategies: Record<string, BuiltStrategy> } =>
  JSON.parse(readFileSync(join(packageRoot(), 'dist/bench/digests.json'), 'utf8'))
