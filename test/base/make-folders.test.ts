import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolders } from '../../src/base/make-folders.ts'
import { needs } from '../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'

it('a folder is created with its parents, and each created folder is returned', () => {
  const base = tempFolder()
  const made: string[] = []
  makeFolders(join(base, 'a/b'), made)
  expect(made).toEqual([join(base, 'a'), join(base, 'a/b')])
  makeFolders(join(base, 'a/b'), made)
  expect(made).toHaveLength(2)
})

it('a folder cannot be created below a file or a dangling link', () => {
  const base = folderOf({ file: '' })
  symlinkSync('nowhere', join(base, 'link'))
  expect(() => makeFolders(join(base, 'file/a'))).toThrow(/ENOTDIR/)
  expect(() => makeFolders(join(base, 'link'))).toThrow(/EEXIST/)
  expect(existsSync(join(base, 'nowhere'))).toBe(false)
})

needs('Linux').it('a folder below /proc is refused immediately', () => {
  expect(() => makeFolders('/proc/nothing/a')).toThrow(/ENOENT/)
})
