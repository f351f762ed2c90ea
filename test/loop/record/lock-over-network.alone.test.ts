import * as files from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { endBlocks } from '../../../src/loop/join/blocks.ts'
import { lockRunFolder } from '../../../src/loop/record/lock.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'

/** What the next calls meet. */
const faults = vi.hoisted(() => ({ link: '', read: '', remove: '' }))
// The real file system, which fails as NFS does.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const fail = (code: string) => {
    if (code !== '') throw Object.assign(new Error(code), { code })
  }
  const failing = {
    // The server has done it, and its answer is lost.
    linkSync: (from: string, to: string) => {
      fs.linkSync(from, to)
      fail(faults.link)
    },
    readFileSync: (...args: Parameters<typeof fs.readFileSync>) => {
      fail(faults.read)
      return fs.readFileSync(...args)
    },
    rmSync: (path: string, options: files.RmOptions) => {
      if (path.endsWith('joined')) fail(faults.remove)
      fs.rmSync(path, options)
    },
  }
  return { ...fs, ...failing }
})
beforeEach(() => void Object.assign(faults, { link: '', read: '', remove: '' }))

it('a lock that was made is held, though the second try of its link found it there', () => {
  const folder = tempFolder()
  faults.link = 'EEXIST'
  const lock = lockRunFolder(folder)
  lock.assertHeld()
  expect(() => lockRunFolder(folder)).toThrow(/is using this run folder/)
  lock.release()
  expect(files.readdirSync(folder)).toEqual([])
})

it.each(['ESTALE', 'ENOENT'])('a lock whose reading fails with %s is lost', (code) => {
  const lock = lockRunFolder(tempFolder())
  faults.read = code
  expect(() => lock.assertHeld()).toThrow(/was removed while this run was using it/)
  faults.read = 'EIO'
  lock.assertHeld()
})

it('a run whose blocks are joined is over, though a file of them stays as long as another process has it open', () => {
  const run = folderOf({ 'blocks/.keep': '', 'joined/1/.nfs0001': '' })
  faults.remove = 'EBUSY'
  endBlocks(run)
  expect(files.readdirSync(run)).toEqual(['joined'])
  faults.remove = ''
  endBlocks(run)
  expect(files.existsSync(join(run, 'joined'))).toBe(false)
})
