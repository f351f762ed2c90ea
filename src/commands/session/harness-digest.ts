import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { strategies } from '../../../strategies/index.ts'
import { packageRoot } from '../../base/package-root.ts'
import { readPrograms } from '../../loop/stage/program.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { sha256 } from '../../text/canonical-json.ts'

const CompiledDigests = z.strictObject({ graders: z.string(), code: z.string() })

const programs = ['src/graders/harness', 'src/sandbox/programs']

/** Returns digests of the compiled harness with its grading programs and those of strategies; null if it runs from source. */
export function harnessDigest(): RunManifest['harness'] {
  if (import.meta.url.endsWith('.ts')) return null
  const texts = programs.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => readFileSync(path)),
  )
  const running = sha256(Buffer.concat(texts))
  const compiled = compiledDigests()
  return {
    graders: sha256(compiled.graders + running),
    code: sha256(compiled.code + running + stagePrograms()),
  }
}

function stagePrograms(): string {
  const hash = createHash('sha256')
  for (const { programs = [] } of strategies)
    for (const [name, text] of Object.entries(readPrograms(programs))) hash.update(`${name}\n`).update(text)
  return hash.digest('hex')
}

/** The digests of the compiled files, which the build wrote. */
function compiledDigests() {
  return CompiledDigests.parse(
    JSON.parse(readFileSync(join(packageRoot(), 'dist/bench/digests.json'), 'utf8')),
  )
}
