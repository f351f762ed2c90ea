import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Returns the digests of the harness and of its graders that the build wrote; null if bench runs from source. */
export function harnessDigest(): RunManifest['harness'] {
  if (import.meta.url.endsWith('.ts')) return null
  return JSON.parse(readFileSync(join(packageRoot(), 'dist/bench/digests.json'), 'utf8'))
}
