import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import { folderOf } from './cli-trial.ts'

/** Writes a program in the place of each agent CLI; gives their folder. */
export function writeFakeClis(): string {
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = folderOf('fake-clis-', '/var/tmp')
  chmodSync(bin, 0o755)
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'qwen']) {
    copyFileSync(join(packageRoot(), 'test/helpers/agents/fake-cli.mjs'), join(bin, `${name}.mjs`))
    const start = `#!/bin/sh\nexec node "$(dirname "$0")/${name}.mjs" "$@"\n`
    writeFileSync(join(bin, name), start, { mode: 0o755 })
  }
  return bin
}
