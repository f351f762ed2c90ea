import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { running } from '../helpers/machine/sandboxes.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { bench, refused } from '../helpers/runs/cli.ts'

/** A bubblewrap that hangs, and leaves a process behind that can be told from others. */
function hanging(beforeIt: string): { PATH: string; seconds: string } {
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  const seconds = `${300 + Math.random()}`
  const text = `#!/bin/sh\n${beforeIt}\nexec sleep ${seconds}\n`
  writeFileSync(join(folder, 'bwrap'), text, { mode: 0o755 })
  return { PATH: `${folder}:/usr/bin:/bin`, seconds }
}

it.each([
  ['its version', 'true'],
  ['the probe', 'case "$1" in --version) echo "bubblewrap 0.8.0"; exit 0;; esac'],
])('a bubblewrap that hangs while starting %s is reported like a missing one and ended', async (_, text) => {
  const { PATH, seconds } = hanging(text)
  const setting = { env: { PATH } }
  const plan = ['--tasks', 'duration-text', '--methods', 'baseline', '--quiet']
  const words = [/cannot be used here.*(?:no answer|did not answer) in \d+ s/]
  await refused([...plan, '--sandbox', 'bubblewrap'], words, setting)
  expect(await bench([...plan, '--allow-unsandboxed', '--out', 'run'], setting)).toMatchObject({ code: 0 })
  expect(running(seconds)).toBe(0)
})
