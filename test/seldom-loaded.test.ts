import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { expect, it } from 'vitest'
import { Composer, LineCounter, visit } from 'yaml'
// @ts-expect-error A script without types.
import { seldomLoaded } from '../scripts/seldom-loaded.mjs'
import { root } from './helpers/cli.ts'
import { tempFolder } from './helpers/temp.ts'

/** What stands for a library in the bundle, and the libraries that it has loaded so far. */
async function standIn(library: string) {
  const { load, resolveId } = seldomLoaded('/ours/')
  const id: string = resolveId(library, '/ours/some.js')
  const loaded: string[] = []
  const path = join(tempFolder(), 'stand-in.mjs')
  writeFileSync(path, `const require = (id) => globalThis.requireForTest(id)\n${load(id)}`)
  const require = createRequire(import.meta.url)
  Object.assign(globalThis, {
    requireForTest: (name: string) => {
      loaded.push(name)
      return require(name)
    },
  })
  return { exported: await import(path), loaded }
}

it('loads a library when something of it is used, and not before', async () => {
  const { exported, loaded } = await standIn('picomatch')
  expect(loaded).toEqual([])
  expect(exported.default('*.ts')('a.ts')).toBe(true)
  expect(loaded).toEqual(['picomatch'])
  expect(exported.default.scan('!a/*')).toEqual(picomatch.scan('!a/*'))
})

it('stands for classes and for properties of functions, too', async () => {
  const { exported } = await standIn('yaml')
  const { Composer: CjsComposer, visit: cjsVisit } = createRequire(import.meta.url)('yaml')
  const lines = new exported.LineCounter()
  lines.addNewLine(0)
  expect(lines.linePos(0)).toEqual({ line: 1, col: 1 })
  expect(Object.keys(lines)).toEqual(Object.keys(new LineCounter()))
  const composer = new exported.Composer()
  expect(composer).toBeInstanceOf(CjsComposer)
  expect(composer instanceof exported.Composer).toBe(true)
  expect(exported.visit.SKIP).toBe(cjsVisit.SKIP)
  expect([typeof Composer, typeof visit.SKIP]).toEqual(['function', 'symbol'])
})

it('is in the bundle, so that a start runs none of their code', () => {
  const bundle = join(root, 'dist/bench')
  const core = readdirSync(bundle).find((name) => /^core-.*\.cjs$/.test(name)) ?? 'none'
  const text = readFileSync(join(bundle, core), 'utf8')
  expect({
    standsIn: text.includes('new Proxy(function(){},{apply:'),
    loadsAtOnce: /import_(?:picomatch|yaml|csv\w*)=/.test(text),
  }).toEqual({ standsIn: true, loadsAtOnce: false })
})

it('leaves what others import of a library alone', () => {
  const { resolveId } = seldomLoaded('/ours/')
  expect(resolveId('yaml', '/node_modules/other/index.js')).toBe(null)
  expect(resolveId('zod', '/ours/some.js')).toBe(null)
})
