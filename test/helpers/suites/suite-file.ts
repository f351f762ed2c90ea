import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Returns a function that writes a file into a temporary folder, which goes away after the tests, and gives its path. */
export function suiteFiles(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name, content) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
}
