import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeTree, removeTreeAsync } from '../../src/sandbox/folders/remove-tree.ts'
import { needs } from '../helpers/house/needs.ts'
import { makeDeep } from '../helpers/machine/deep-folders.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { root } from '../helpers/runs/cli.ts'

const ways = [
  ['at once', removeTree],
  ['in turns', removeTreeAsync],
] as const

it.each(ways)('6,000 folders in each other are removed %s', async (_, remove) => {
  const folder = join(tempFolder(), 'deep')
  makeDeep(folder, 6000)
  expect(await remove(folder)).toBe(true)
})

it.each(ways)('100,000 files in one folder are removed %s, beside a deep one', async (_, remove) => {
  const folder = join(tempFolder(), 'flat')
  makeDeep(folder, 220)
  mkdirSync(join(folder, 'flat'))
  for (let i = 0; i < 100_000; i++) writeFileSync(join(folder, 'flat', `${i}`), '')
  expect(await remove(folder)).toBe(true)
})

// Root may enter closed folders and change owners, so the test also runs as another user.
needs('root', 'setpriv').it(
  'an ordinary user follows no link and removes all that a program left, as root does',
  () => {
    const home = tempFolder()
    chmodSync(home, 0o777)
    const user = ['--reuid=61001', '--regid=61001', '--clear-groups']
    const tests = ['sandbox/process/left-behind', 'sandbox/folders/remove-tree', 'loop/branch/folder']
    const vitest = [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--configLoader=runner',
      '--maxWorkers=1',
      '--dir',
      'test',
    ]
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [...user, process.execPath, ...vitest, '--reporter=json', ...tests],
      { cwd: root, env: { PATH: process.env.PATH, HOME: home, TMPDIR: home }, encoding: 'utf8' },
    )
    expect(status, stderr).toBe(0)
    const { numFailedTests, numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(100)
  },
)
