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
  return JSON.parse(readFileSync(join(packageRoot(), 'dist/bench/digests.json'), 'utf8'))
}
