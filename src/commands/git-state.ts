import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withoutSecrets } from '../sandbox/without-secrets.ts'

/** Commit and cleanliness of the checkout that bench is called in; null outside of one or without git. */
export async function gitState(folder = process.cwd()): Promise<{ commit: string; dirty: boolean } | null> {
  if (!isInCheckout(folder)) return null
  // By hand: to load execa for this one call would cost a third of what it takes to start a run.
  const args = ['status', '--porcelain=v2', '--branch', '--untracked-files=no']
  const options = { cwd: folder, env: withoutSecrets(), timeout: 5000, maxBuffer: 64 * 1024 * 1024 }
  try {
    const { stdout } = await promisify(execFile)('git', args, options)
    const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(stdout)?.[1]
    return commit === undefined ? null : { commit, dirty: /^[^#]/m.test(stdout) }
  } catch {
    return null
  }
}

function isInCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}
