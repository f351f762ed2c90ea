import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readToolFiles } from '../../../src/agent-tools/mcp/read-tool-files.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** Makes a folder with files. */
function folderOf(files: Record<string, string | Buffer>): string {
  const folder = tempFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

it('files and folders are read with their digests, as declared', () => {
  const cwd = folderOf({
    'server.mjs': 'run()',
    'lib/a.mjs': 'a',
    'lib/deep/b.mjs': '\uFEFFb',
    'lib/.git/config': 'x',
    'other.txt': 'not declared',
  })
  const { files, digests, problems } = readToolFiles(cwd, ['./server.mjs', 'lib/', 'server.mjs'])
  expect(problems).toEqual([])
  expect(files).toEqual({ 'server.mjs': 'run()', 'lib/a.mjs': 'a', 'lib/deep/b.mjs': '\uFEFFb' })
  expect(digests).toEqual([
    { path: 'lib/a.mjs', digest: sha256('a') },
    { path: 'lib/deep/b.mjs', digest: sha256('\uFEFFb') },
    { path: 'server.mjs', digest: sha256('run()') },
  ])
})

it('all problems are told at once, each with its file', () => {
  const cwd = folderOf({ 'a.bin': Buffer.from([0, 1]), 'b.bin': Buffer.from([0xff, 0xfe]), ok: 'fine' })
  const { files, problems } = readToolFiles(
    cwd,
    ['gone.mjs', 'a.bin', 'b.bin', 'ok', '../x', '/etc/passwd', '.'],
    'w',
  )
  expect(problems.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    `w: "gone.mjs" does not exist in ${cwd}`,
    'w: "a.bin" is no text file',
    'w: "b.bin" is no text file',
    'w: "../x" is no path inside of the working folder',
    'w: "/etc/passwd" is no path inside of the working folder',
    'w: "." is no path inside of the working folder',
  ])
  expect(files).toEqual({ ok: 'fine' })
  for (const { fix } of problems) expect(fix).toMatch(/\.$/)
})

it('a file that is too large and a file too many are told', () => {
  const limits = { files: 3, fileBytes: 10, bytes: 20 }
  const cwd = folderOf({
    'big.txt': 'x'.repeat(11),
    'd/1': 'x',
    'd/2': 'x',
    'd/3': 'x',
    'd/4': 'x',
    'd/5': 'x',
  })
  const whatOf = (...paths: string[]) =>
    readToolFiles(cwd, paths, 'files', limits).problems.map(({ what }) => what)
  expect(whatOf('big.txt')).toEqual(['"big.txt" has 11 bytes; a file may have 10'])
  expect(whatOf('d')).toEqual(['"d/4" is beyond the limits: 3 files, 20 bytes together'])
  const wide = folderOf({ a: 'x'.repeat(9), b: 'x'.repeat(9), c: 'x'.repeat(3) })
  expect(readToolFiles(wide, ['a', 'b', 'c'], 'files', limits).problems).toHaveLength(1)
  expect(readToolFiles(wide, ['a', 'b'], 'files', limits).problems).toEqual([])
})

const { it: withLinks } = needs('a system with symbolic links')

withLinks(
  'a link in a folder is told, and not followed; a declared link is the file that it leads to',
  () => {
    const cwd = folderOf({ 'lib/a.mjs': 'a', 'secret/key': 'x' })
    symlinkSync('../secret', join(cwd, 'lib/out'))
    symlinkSync('lib/a.mjs', join(cwd, 'server.mjs'))
    const { problems } = readToolFiles(cwd, ['lib'])
    expect(problems.map(({ what }) => what)).toEqual(['"lib/out" is a symbolic link'])
    expect(readToolFiles(cwd, ['server.mjs']).files).toEqual({ 'server.mjs': 'a' })
  },
)

withLinks('a declared path that leads out of the working folder by a link is refused', () => {
  const cwd = folderOf({ 'in/a.md': 'a' })
  const other = folderOf({ 'b.md': 'b', 'deep/c.md': 'c' })
  symlinkSync(join(other, 'b.md'), join(cwd, 'link.md'))
  symlinkSync(other, join(cwd, 'out'))
  symlinkSync('..', join(cwd, 'up'))
  symlinkSync('in', join(cwd, 'inner'))
  const { files, problems } = readToolFiles(cwd, ['link.md', 'out', 'out/deep/c.md', 'up', 'inner/a.md'])
  expect(problems.map(({ what }) => what)).toEqual(
    ['link.md', 'out', 'out/deep/c.md', 'up'].map(
      (path) => `"${path}" is no path inside of the working folder: a link leads out of it`,
    ),
  )
  expect(files).toEqual({ 'inner/a.md': 'a' })
  // A working folder that is itself named by a link is no way out.
  symlinkSync(cwd, join(other, 'work'))
  expect(readToolFiles(join(other, 'work'), ['in']).problems).toEqual([])
})

it('of a folder with many entries that cannot be taken, ten are told, and how many more there are', () => {
  const names = Array.from({ length: 300 }, (_, at) => [`lib/${at}.bin`, Buffer.from([0, at % 256])] as const)
  const { problems } = readToolFiles(folderOf({ ...Object.fromEntries(names), 'b.bin': Buffer.from([0]) }), [
    'lib',
    'b.bin',
  ])
  expect(problems).toHaveLength(12)
  expect(problems[10]).toMatchObject({ what: '"lib" has 290 more such entries' })
  expect(problems[11]).toMatchObject({ what: '"b.bin" is no text file', fix: 'Declare text files alone.' })
})
