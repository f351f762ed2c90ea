import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeFolder } from '../../../src/sandbox/folders/private-folder.ts'
import { removeTree, removeTreeAsync } from '../../../src/sandbox/folders/remove-tree.ts'
import { makeDeep } from '../../helpers/machine/deep-folders.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

describe.each([
  ['at once', removeTree],
  ['in turns', removeTreeAsync],
])('%s', (_, remove) => {
  it('nested folders with a path above the system limit are removed with their contents', async () => {
    const folder = join(tempFolder(), 'deep')
    makeDeep(folder, 400)
    expect(await remove(folder)).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  it('two deep folders in one parent are removed, even without permissions', async () => {
    const folder = join(tempFolder(), 'deep')
    makeDeep(join(folder, 'a'), 220)
    makeDeep(join(folder, 'b'), 60, 'e'.repeat(100))
    const closed = join(folder, 'a', 'd'.repeat(20), 'd'.repeat(20))
    for (const path of [closed, join(folder, 'b'), folder]) chmodSync(path, 0)
    expect(await remove(folder)).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  it('names of any bytes are removed', async () => {
    const folder = join(tempFolder(), 'names')
    makeDeep(folder, 220)
    const names = ['a\nb', '-rf', ' ', '\u001b[2J', '*', '\\', '…', '\u202e']
    for (const name of names) writeFileSync(join(folder, name), '')
    const raw = (name: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])
    writeFileSync(raw([0xff, 0xfe]), '')
    mkdirSync(raw([0xc3, 0x28]))
    writeFileSync(raw([0xc3, 0x28, 0x2f, 0xff]), '')
    expect(await remove(folder)).toBe(true)
  })

  it('many files are removed beside a deep folder', async () => {
    const folder = join(tempFolder(), 'many')
    makeDeep(folder, 220)
    for (let i = 0; i < 500; i++) writeFileSync(join(folder, `${i}`), '')
    expect(await remove(folder)).toBe(true)
  })

  it('the target of a link stays, wherever the link is', async () => {
    const [place, outside] = [tempFolder(), tempFolder()]
    writeFileSync(join(outside, 'kept'), 'kept')
    const folder = join(place, 'linked')
    makeDeep(folder, 220)
    for (const inner of [
      folder,
      join(folder, 'd'.repeat(20)),
      join(folder, 'd'.repeat(20), 'd'.repeat(20)),
    ]) {
      symlinkSync(outside, join(inner, 'to-folder'))
      symlinkSync(join(outside, 'kept'), join(inner, 'to-file'))
      symlinkSync('nowhere', join(inner, 'to-nothing'))
      linkSync(join(outside, 'kept'), join(inner, 'hard'))
      expect(spawnSync('mkfifo', [join(inner, 'pipe')]).status).toBe(0)
    }
    const link = join(place, 'link')
    symlinkSync(outside, link)
    expect([await remove(folder), await remove(link)]).toEqual([true, true])
    expect([readdirSync(place), readdirSync(outside)]).toEqual([[], ['kept']])
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept')
    expect(lstatSync(join(outside, 'kept')).nlink).toBe(1)
  })

  it('a path that does not exist counts as removed', async () => {
    expect(await remove(join(tempFolder(), 'never'))).toBe(true)
  })
})

it('other work goes on while a large folder is removed', async () => {
  const folder = join(tempFolder(), 'many')
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  // Links are made much faster than files, and take as long to remove.
  for (let i = 0; i < 20_000; i++) linkSync(join(folder, 'file'), join(folder, `${i}`))
  let turns = 0
  const others = setInterval(() => turns++, 1)
  expect(await removeTreeAsync(folder)).toBe(true)
  clearInterval(others)
  expect(turns).toBeGreaterThan(0)
})

it('a folder that cannot be removed is reported, and everything beside it is removed', async () => {
  // A file of the kernel cannot be removed.
  expect(await removeFolder('/proc/self/task')).toBe(false)
})
