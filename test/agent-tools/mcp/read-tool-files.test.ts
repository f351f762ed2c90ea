import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readToolFiles, toolFileLimits } from '../../../src/agent-tools/mcp/read-tool-files.ts'
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

const whatOf = (cwd: string, paths: string[]) =>
  readToolFiles(cwd, paths, 'tools.docs.files').problems.map(({ what }) => what)

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
  const large = folderOf({ 'big.txt': Buffer.alloc(toolFileLimits.fileBytes + 1, 'x') })
  expect(whatOf(large, ['big.txt'])).toEqual([
    expect.stringMatching(/has 4194305 bytes; a file may have 4194304/),
  ])
  const names = Array.from({ length: toolFileLimits.files + 5 }, (_, at) => [`d/${at}`, 'x'])
  expect(whatOf(folderOf(Object.fromEntries(names)), ['d'])).toEqual([
    expect.stringMatching(/is beyond the limits: 1000 files/),
  ])
  const mebibytes = Array.from({ length: 6 }, (_, at) => [`d/${at}`, 'x'.repeat(3 * 1024 ** 2)])
  expect(whatOf(folderOf(Object.fromEntries(mebibytes)), ['d'])).toEqual([
    expect.stringMatching(/is beyond the limits: 1000 files, 16777216 bytes/),
  ])
})

const { it: withLinks } = needs('a system with symbolic links')

withLinks(
  'a link in a folder is told, and not followed; a declared link is the file that it leads to',
  () => {
    const cwd = folderOf({ 'lib/a.mjs': 'a', 'secret/key': 'x' })
    symlinkSync('../secret', join(cwd, 'lib/out'))
    symlinkSync('lib/a.mjs', join(cwd, 'server.mjs'))
    expect(whatOf(cwd, ['lib'])).toEqual(['"lib/out" is a symbolic link'])
    expect(readToolFiles(cwd, ['server.mjs']).files).toEqual({ 'server.mjs': 'a' })
  },
)
