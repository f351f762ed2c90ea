import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireTrustedCode, takesPowers } from '../../../src/commands/open/trust-code.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const program = { command: ['sh', '-c', 'env'], files: {}, missing: [] }
const options = { command: 'python3 app.py', folder: 'app', program }
const manifest = {
  cwd: '/',
  agents: { '*': 'simulated' },
  methods: [{ strategy: 'external', label: 'mine', options, digest: 'd' }],
} as unknown as RunManifest

it('a run of somebody else that starts a program asks for the word of its user before it goes on', async () => {
  expect(takesPowers(manifest)).toBe(true)
  const folder = join(tempFolder(), 'run')
  mkdirSync(folder)
  writeFileSync(join(folder, 'run.json'), JSON.stringify(manifest))
  const { signal } = new AbortController()
  const opening = (startsServers: boolean) => ({ trusted: false, startsServers, graders: [], signal })
  // What is started is told, not what the options say of it.
  await expect(requireTrustedCode(folder, manifest, opening(true))).rejects.toThrow(
    /starts this program: sh -c env[\s\S]*reads this file: app/,
  )
  // A replay starts nothing.
  await requireTrustedCode(folder, manifest, opening(false))
})
