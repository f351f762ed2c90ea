import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cacheFolder } from '../../src/base/cache-folder.ts'

it('the environment sets the folder of cache files', () => {
  expect(cacheFolder({ ORCHESTRATION_BENCH_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a')
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe(join('/b', 'orchestration-bench'))
  expect(cacheFolder({})).toMatch(/\.cache.orchestration-bench$/)
})
