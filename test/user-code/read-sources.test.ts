import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSources } from '../../src/user-code/read-sources.ts'
import { tableOf } from '../helpers/house/tables.ts'
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

it.each(tableOf<[string, string[]][]>(import.meta.url, 'sourcesModule'))(
  'the sources of a module with %s',
  (text, expected) => {
    expect(sourcesOf(text).sort()).toEqual(expected)
  },
)

it('what a named module names is a source, too, also if they name each other', () => {
  const folder = folderOf({
    'a.mjs': "import './b.mjs'",
    'b.mjs': "import './a.mjs'; require('./c.cjs')",
    'c.cjs': '',
  })
  expect(Object.keys(readSources(join(folder, 'a.mjs'))).sort()).toEqual(['a.mjs', 'b.mjs', 'c.cjs'])
})
