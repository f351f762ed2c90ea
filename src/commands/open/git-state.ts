import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { runTool } from '../../sandbox/machine/run-tool.ts'
import type { GitState } from '../../schema/run/run.ts'

/** Folders of the harness's checkout whose changes change the harness. */
const harnessCode = /^(?:src|strategies|scripts)\//

/** The git state of both checkouts; null without a repository or without git. */
export interface GitStates {
  /** The checkout that bench is called in. */
  here: GitState | null
  /** The checkout of bench itself. */
  harness: GitState | null
}

/**
 * Returns the git state of the checkout that bench is called in, and of bench's own checkout.
 * An installed bench does not count as a checkout, even inside a repository.
 */
export async function gitStates(folder = process.cwd(), harness = packageRoot()): Promise<GitStates> {
  const checkout = checkoutOf(folder)
  const own = existsSync(join(harness, '.git')) ? harness : undefined
  const ours = checkout === undefined ? null : await statusOf(checkout)
  const theirs = own === checkout ? ours : own === undefined ? null : await statusOf(own)
  return {
    here: ours && { commit: ours.commit, dirty: ours.changed.length > 0 },
    harness: theirs && {
      commit: theirs.commit,
      dirty: theirs.changed.some((path) => harnessCode.test(path)),
    },
  }
}

async function statusOf(checkout: string): Promise<{ commit: string; changed: string[] } | null> {
  // Nothing reads the distance to the upstream branch.
  const args = ['status', '--porcelain=v2', '--branch', '--untracked-files=no', '--no-ahead-behind']
  const { failed, stdout } = await runTool('git', args, { cwd: checkout, timeout: 5000 })
  if (failed) return null
  const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(stdout)?.[1]
  return commit === undefined ? null : { commit, changed: stdout.split('\n').flatMap(changedPath) }
}

/** Number of fields before the path in a line of porcelain version 2, by kind of line. The old path of a renamed file follows a tab. */
const fieldsBefore: Record<string, number> = { 1: 8, 2: 9, u: 10 }

function changedPath(line: string): string[] {
  const fields = line.split(' ')
  const before = fieldsBefore[fields[0] as string]
  const path = before === undefined ? undefined : fields.slice(before).join(' ').split('\t')[0]
  return path === undefined ? [] : [path]
}

function checkoutOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}
