import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Commit and cleanliness of the checkout that bench is called in; null outside of one or without git. */
export async function gitState(folder = process.cwd()): Promise<{ commit: string; dirty: boolean } | null> {
  // Most of what this costs is loading execa, so it is not loaded where there is nothing to ask.
  if (!isInCheckout(folder)) return null
  const { execa } = await import('execa')
  const options = { cwd: folder, reject: false, timeout: 5000, stdin: 'ignore' } as const
  const [head, status] = await Promise.all([
    execa('git', ['rev-parse', 'HEAD'], options),
    execa('git', ['status', '--porcelain', '--untracked-files=no'], options),
  ])
  return head.failed ? null : { commit: head.stdout, dirty: status.failed || status.stdout !== '' }
}

function isInCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}
