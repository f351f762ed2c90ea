import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The mutants of tasks, computed once for all tests of a vitest run. */
    cache: string
    /** Whether calls of the command line may share a process. The modes that run once start one for each call. */
    mayShare: boolean
  }
}

/** Builds dist/ once, and gives all tests of the command line one cache of their own. */
export default function setup(project: TestProject): () => void {
  const script = fileURLToPath(new URL('../../../scripts/build.mjs', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`)
  const cache = mkdtempSync(join(tmpdir(), 'bench-test-cache-'))
  project.provide('cache', cache)
  project.provide('mayShare', project.name === 'cli')
  return () => rmSync(cache, { recursive: true, force: true })
}
