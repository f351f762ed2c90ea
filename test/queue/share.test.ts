import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assertShared, markShare, testShare } from '../../src/queue/share.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'

const message = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}
const fault = (code: string) => Object.assign(new Error(code), { code })

it('a folder of this machine passes the test of a share, which leaves nothing in it', async () => {
  const folder = folderOf({ 'run/run.json': '{}' })
  await testShare(folder)
  expect(fs.readdirSync(folder)).toEqual(['run'])
})

it('a share that is missing, or a file, or that cannot be written, is refused in one line', async () => {
  const folder = folderOf({ file: '' })
  expect(await message(() => testShare(join(folder, 'gone')))).toBe(
    `[--share ${folder}/gone] is not a folder. Name a folder that the coordinator and all workers see.`,
  )
  expect(await message(() => testShare(join(folder, 'file')))).toContain('file] is not a folder.')
  // Nobody may make a folder there, root neither.
  expect(await message(() => testShare('/proc/self'))).toMatch(
    /^\[--share \/proc\/self\] cannot be written: .*\.$/,
  )
})

it.each<[string, Partial<typeof fs>, string]>([
  [
    'has no hard links',
    {
      linkSync: () => {
        throw fault('EPERM')
      },
    },
    'has no hard links, which locks are made of: you may not (EPERM)',
  ],
  ['lets two processes take one lock', { linkSync: fs.copyFileSync }, 'lets a lock be taken that is held'],
  [
    'knows no exclusive creation',
    {
      writeFileSync: ((path: string, text: string) =>
        fs.writeFileSync(path, text)) as typeof fs.writeFileSync,
    },
    'creates a file anew that is there',
  ],
  [
    'renames over no file',
    {
      renameSync: () => {
        throw fault('EEXIST')
      },
    },
    'does not rename a file over another: it is there already (EEXIST)',
  ],
  ['keeps showing what it has read', { renameSync: () => {} }, 'does not rename a file over another'],
  [
    'cannot sync',
    {
      fsyncSync: () => {
        throw fault('EINVAL')
      },
    },
    'does not sync files to disk: EINVAL',
  ],
])('a share that %s is refused', async (_, files, what) => {
  const folder = tempFolder()
  const said = await message(() => testShare(folder, { ...fs, ...files }))
  expect(said.split(']')[1]).toBe(
    ` ${what}. Name a folder of another file system, or see docs/reference/queue.md for what it must promise.`,
  )
  expect(fs.readdirSync(folder)).toEqual([])
})

it('a share whose locks another process does not see is refused, and so is one that hides what that process did', async () => {
  // A file system that keeps what this process writes to itself, as a cache without coherence does.
  const kept = new Map<string, string>()
  const own = {
    ...fs,
    writeFileSync: (path: string, text: string, how?: { flag: string }) => {
      if (how?.flag === 'wx' && kept.has(path)) throw fault('EEXIST')
      kept.set(path, text)
      fs.writeFileSync(path, '')
    },
    linkSync: (from: string, to: string) => {
      if (kept.has(to)) throw fault('EEXIST')
      kept.set(to, kept.get(from) ?? '')
      fs.linkSync(from, to)
    },
    renameSync: (from: string, to: string) => {
      kept.set(to, kept.get(from) ?? '')
      fs.renameSync(from, to)
    },
    readFileSync: (path: string) => kept.get(path),
  } as unknown as typeof fs
  expect(await message(() => testShare(tempFolder(), own))).toContain(
    'does not show a lock to another process.',
  )
  let reads = 0
  const stale = {
    ...fs,
    readFileSync: ((path: string) =>
      ++reads > 2 ? 'renewed' : fs.readFileSync(path, 'utf8')) as typeof fs.readFileSync,
  }
  expect(await message(() => testShare(tempFolder(), stale))).toContain(
    'does not show what another process has renamed.',
  )
})

it('a worker takes a share only if it holds the folder that the coordinator marked', async () => {
  const share = folderOf({ 'run/run.json': '{}', 'other/run.json': '{}' })
  const mark = markShare(join(share, 'run'))
  expect(markShare(join(share, 'run'))).toBe(mark)
  markShare(join(share, 'other'))
  expect(await message(() => assertShared(share, 'run', mark))).toBe('accepted')
  const elsewhere = tempFolder()
  expect(await message(() => assertShared(elsewhere, 'run', mark))).toBe(
    `[--share ${elsewhere}] has no folder run that this user can read, so it is not the folder of the coordinator. Mount and name the folder that holds run. Another team's run is done by its own workers, and needs no remedy. If run was removed, bench runs prune --older-than AGE --queue postgres://USER@HOST/DATABASE takes it out of the queue, with every other run of that age on which nobody works: look with --dry-run first`,
  )
  expect(await message(() => assertShared(share, 'other', mark))).toContain('has another folder other, so it')
})
