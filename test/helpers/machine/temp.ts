import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder, removed when the test has finished. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
