import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mountFolders } from '../../../src/sandbox/tools/mount-folders.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

needs('mount').it(
  'a mount lets another user into a folder of root, and is visible only in its namespace',
  async () => {
    const closed = join(tempFolder(), 'tools') // below a folder of mode 0700
    mkdirSync(closed)
    writeFileSync(join(closed, 'tool'), 'a tool')
    const opened = await mountFolders('unshare', [closed], [])
    const at = opened?.at.get(closed) ?? ''
    const asNobody = (...namespace: string[]) =>
      spawnSync(
        'nsenter',
        [...namespace, '--setgid=61000', '--setuid=61000', '--', 'cat', join(at, 'tool')],
        {
          encoding: 'utf8',
        },
      ).stdout
    expect(asNobody(`--mount=${opened?.namespace}`)).toBe('a tool')
    expect(existsSync(join(at, 'tool'))).toBe(false)
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(at)
  },
)

it('no mount is made if every candidate mount point contains needed folders', async () => {
  expect(await mountFolders('unshare', ['/mnt/a', '/media/b', '/srv/c'], [])).toBeUndefined()
})
