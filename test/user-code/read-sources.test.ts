import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSources } from '../../src/user-code/read-sources.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'

const files = [
  'b.cjs',
  'pay.mjs',
  'typed.ts',
  'lib/index.js',
  'pack/package.json',
  'pack/main.js',
  'data.txt',
]

/** Returns the names of the sources of a module with this text. */
function sourcesOf(text: string): string[] {
  const folder = tempFolder()
  for (const one of ['lib', 'pack']) mkdirSync(join(folder, one))
  for (const file of files) writeFileSync(join(folder, file), '// nothing\n')
  writeFileSync(join(folder, 'pack/package.json'), '{"main":"main.js"}')
  writeFileSync(join(folder, 'own.mjs'), text)
  return Object.keys(readSources(join(folder, 'own.mjs'))).filter((name) => name !== 'own.mjs')
}

it.each([
  ["import './pay.mjs'", ['pay.mjs']],
  ['import a from\'./pay.mjs\'; export * from "./b.cjs"', ['b.cjs', 'pay.mjs']],
  ["require('./b.cjs')", ['b.cjs']],
  ["require('./b')", ['b.cjs']],
  ['await import(/* it’s a comment */ "./pay.mjs")', ['pay.mjs']],
  ["// don't\nawait import(\n`./pay.mjs`)", ['pay.mjs']],
  ["const at = './pay.mjs'\nawait import(at)", ['pay.mjs']],
  ["await import('./pay.mjs?again#1')", ['pay.mjs']],
  ["await import('./%70ay.mjs')", ['pay.mjs']],
  ["await import(new URL('pay.mjs', import.meta.url))", ['pay.mjs']],
  ["require(join(__dirname, 'b.cjs'))", ['b.cjs']],
  ["import './typed.js'", ['typed.ts']],
  ["require('./lib')", ['lib/index.js']],
  ["require('./pack')", ['pack/main.js', 'pack/package.json']],
  ["readFileSync(new URL('./data.txt', import.meta.url))", ['data.txt']],
  ["import 'lib'; import './missing.mjs'; const text = 'data.txt'", []],
])('the sources of a module with %s', (text, expected) => {
  expect(sourcesOf(text).sort()).toEqual(expected)
})

it('what a named module names is a source, too, also if they name each other', () => {
  const folder = folderOf({
    'a.mjs': "import './b.mjs'",
    'b.mjs': "import './a.mjs'; require('./c.cjs')",
    'c.cjs': '',
  })
  expect(Object.keys(readSources(join(folder, 'a.mjs'))).sort()).toEqual(['a.mjs', 'b.mjs', 'c.cjs'])
})
