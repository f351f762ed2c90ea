import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../canonical.ts'
import { packageRoot } from '../package-root.ts'
import type { RunManifest } from '../schema/run.ts'
import { builtDigests } from './built-digests.ts'

const programs = ['src/graders/harness', 'src/sandbox/programs']

/** What this harness is made of, as it was built, with the programs that grade as they are now; null: it was never built. */
export function harnessDigest(): RunManifest['harness'] {
  if (!builtDigests) return null
  const { graders, code } = builtDigests
  const texts = programs.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => readFileSync(path)),
  )
  const running = sha256(Buffer.concat(texts))
  return { graders: sha256(graders + running), code: sha256(code + running) }
}
