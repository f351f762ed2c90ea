import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cacheFolder } from '../../src/base/cache-folder.ts'
import { makeFolders } from '../../src/base/make-folders.ts'
import { seededRandom } from '../../src/base/random.ts'
import { needs } from '../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'

it('the environment sets the folder of cache files', () => {
  expect(cacheFolder({ ORCHESTRATION_BENCH_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a')
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe(join('/b', 'orchestration-bench'))
  expect(cacheFolder({})).toMatch(/\.cache.orchestration-bench$/)
})

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

const numbers = (random: () => number) => [random(), random(), random()]

it('the random generator gives fixed numbers, since every simulated run depends on them', () => {
  expect(numbers(seededRandom(''))).toEqual([0.35864685475826263, 0.6138331410475075, 0.8062200273852795])
  expect(numbers(seededRandom('1|arithmetic/product|1|baseline|#0|1'))).toEqual([
    0.7026853819843382, 0.7729396175127476, 0.4922193246893585,
  ])
})
