import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settleChanges } from '../../../src/commands/open/settle-changes.ts'
import { digestFolder } from '../../../src/sandbox/folders/digest-folder.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { external } from '../../../strategies/external.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

it('a run does not go on with another folder of a program, whoever accepts changes, and all methods are told once', async () => {
  const root = tempFolder()
  const folder = join(root, 'app')
  mkdirSync(folder)
  writeFileSync(join(folder, 'app.py'), 'print(1)')
  const program = { command: ['python3', '{folder}/app.py'], files: {}, missing: [] }
  const options = {
    ...external.options.parse({ folder }),
    program: { ...program, digest: digestFolder(folder)?.digest },
  }
  const methods = ['a', 'b'].map((label) => ({ label, strategy: 'external', options, digest: 'd' }))
  const manifest = { methods, tasks: [], taskSelectors: [], cwd: root } as unknown as RunManifest
  const now = { tasks: [], strategies: [{ strategy: external, digest: 'd' }], unset: [] }
  const settle = (goesOn = true, acceptChanges = false) =>
    settleChanges(root, manifest, now, { goesOn, acceptChanges, onWarning: () => {} }).catch(
      ({ message }: Error) => message,
    )
  expect(await settle()).toBe(manifest)
  writeFileSync(join(folder, 'app.py'), 'print(2)')
  const told = `[${folder}] the folder has changed since this run started. Restore it, or start a new run.`
  expect([await settle(), await settle(true, true)]).toEqual([told, told])
  renameSync(folder, join(root, 'moved'))
  expect(await settle()).toBe(
    `[${folder}] there is no such folder. Go on in the folder where the run started, or restore it.`,
  )
  // A replay starts nothing.
  expect(await settle(false)).toBe(manifest)
})
