import { createHmac } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { verifyOrigin, writeOrigin } from '../../../src/commands/open/run-origin.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

let project = ''
let run = ''
beforeEach(() => {
  const restore = keepEnvironment()
  const cwd = process.cwd()
  project = realpathSync(tempFolder())
  run = join(project, 'inner/run')
  mkdirSync(run, { recursive: true })
  mkdirSync(join(project, '.git'))
  writeFileSync(join(run, 'run.json'), '{}')
  process.chdir(join(project, 'inner'))
  return () => {
    process.chdir(cwd)
    restore()
  }
})

/** Uses a cache folder with a key that somebody else knows, and forges the origin of the run with it. */
function forge(cache: string): string {
  process.env.ORCHESTRATION_BENCH_CACHE = cache
  const key = 'a'.repeat(64)
  mkdirSync(join(cache, 'trusted'), { recursive: true, mode: 0o700 })
  for (const file of ['origin-key', 'trusted/origin-key'])
    writeFileSync(join(cache, file), key, { mode: 0o600 })
  const mark = createHmac('sha256', key).update(`${run}\n{}`).digest('hex')
  writeFileSync(join(run, 'origin'), `${mark}\n`)
  return join(cache, 'trusted/origin-key')
}

it('a run of the user is known by a key in the user’s cache, where it is unchanged', () => {
  process.env.ORCHESTRATION_BENCH_CACHE = tempFolder()
  expect(verifyOrigin(run)).toBe(false)
  writeOrigin(run)
  expect(verifyOrigin(run)).toBe(true)
  writeFileSync(join(run, 'run.json'), '{"a":1}')
  expect(verifyOrigin(run)).toBe(false)
})

it.each(['.cache', '../.cache', '..cache'])(
  'a key in %s came with the project and proves nothing; none is written there',
  (cache) => {
    forge(cache)
    expect(verifyOrigin(run)).toBe(false)
    const other = join(cache, 'new')
    process.env.ORCHESTRATION_BENCH_CACHE = other
    writeOrigin(run)
    expect([existsSync(other), verifyOrigin(run)]).toEqual([false, false])
  },
)

it('a key proves nothing if others may write it or its folder, or if it is a link; another one is made', () => {
  const key = forge(tempFolder())
  expect(verifyOrigin(run)).toBe(true)
  chmodSync(join(key, '..'), 0o777)
  expect(verifyOrigin(run)).toBe(false)
  chmodSync(join(key, '..'), 0o700)
  forge(process.env.ORCHESTRATION_BENCH_CACHE ?? '')
  chmodSync(key, 0o666)
  expect(verifyOrigin(run)).toBe(false)
  expect(readFileSync(key, 'utf8')).not.toBe('a'.repeat(64))

  const linked = tempFolder()
  process.env.ORCHESTRATION_BENCH_CACHE = linked
  mkdirSync(join(linked, 'trusted'), { mode: 0o700 })
  writeFileSync(join(project, 'key'), 'a'.repeat(64), { mode: 0o600 })
  symlinkSync(join(project, 'key'), join(linked, 'trusted/origin-key'))
  expect(verifyOrigin(run)).toBe(false)
})
