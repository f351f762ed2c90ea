import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gitTreeHash } from '../../../src/workflows/chain/run-stage.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { git } from '../../helpers/stages/chained.ts'

type Texts = Readonly<Record<string, string>>

const hashOf = (files: Texts) => gitTreeHash({ list: () => Object.keys(files), read: (path) => files[path] })

/** The hash that git itself gives the files. */
async function gitHashOf(files: Texts): Promise<string> {
  const folder = tempFolder()
  await git(folder, 'init', '--quiet')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await git(folder, 'add', '--force', '--all')
  return (await git(folder, 'write-tree')).trim()
}

it.each<[string, Texts]>(tableOf(import.meta.url, 'hashTree'))(
  'the hash of a tree is that of git: %s',
  async (_, files) => {
    expect(hashOf(files)).toBe(await gitHashOf(files))
  },
)

it('the hash of a tree is that of git for any files', async () => {
  const name = fc.constantFrom('a', 'a.b', 'a-', 'ab', 'B', 'é', '0')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, fc.string({ unit: 'binary' })), async (given) => {
      // A file cannot stand where a folder does.
      const paths = Object.keys(given)
      const files = Object.fromEntries(
        Object.entries(given).filter(([path]) => !paths.some((other) => other.startsWith(`${path}/`))),
      )
      expect(hashOf(files)).toBe(await gitHashOf(files))
    }),
    { numRuns: 4 },
  )
})

it('leaves out folders that are no work', () => {
  const work = { 'a.txt': 'A', 'src/.bench-notes': 'kept' }
  const more = {
    'node_modules/x/i.js': '1',
    '.bench/w/state.json': '2',
    'src/__pycache__/a.pyc': '3',
    'b/.git/HEAD': '4',
  }
  expect(hashOf({ ...work, ...more })).toBe(hashOf(work))
})
