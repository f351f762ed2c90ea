import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  type Bytes,
  chainPlace,
  git,
  plainGit,
  runStage,
  stateIn,
  writeFiles,
} from '../../helpers/stages/chained.ts'

const names = tableOf<string[]>(import.meta.url, 'names')
const texts = [
  '',
  '\n',
  'one line without an end',
  'one\ntwo\nthree\n',
  'one\r\ntwo\r\nthree\r\n',
  'one\r\ntwo\nthree\rfour',
  'trailing  \n\t\n \n',
  '*.log\ndist/\n*\n',
  '* text=auto eol=lf\n*.txt text eol=crlf ident\n*.js filter=lfs diff=lfs merge=lfs -text\n* working-tree-encoding=UTF-16\n',
  '$Id$\n',
  'ä 😀 \u2028 \ufeff\n',
  '\ufeffwith a mark\n',
  '-- \n--- a/x\n+++ b/x\n@@ -1 +1 @@\n',
  `${'long line '.repeat(500)}\n${'x\n'.repeat(300)}`,
  'GIT binary patch\n',
]
const bytes = [
  Buffer.from([0xff, 0xfe, 0x0a]),
  Buffer.from('latin1 \xe4\n', 'latin1'),
  Buffer.from([0, 1, 2, 3]),
  Buffer.alloc(9000, 0xe4),
  Buffer.from([0xed, 0xa0, 0x80]),
]

/** A set of files in which no path is a folder of another. */
const treeOf = (contents: readonly (string | Buffer)[], paths: readonly string[] = names) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...contents)), {
      selector: ([path]) => path,
      maxLength: 14,
    })
    .map((files) => Object.fromEntries(files) as Bytes)

/** Path, kind and content of each file of a folder. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const at = join(folder, path)
    const entry = lstatSync(at)
    if (entry.isDirectory() || /(^|\/)(\.git|\.bench|node_modules)(\/|$)/.test(path)) return []
    if (entry.isSymbolicLink()) return [[path, `link to ${readlinkSync(at)}`]]
    return [[path, `${entry.mode & 0o100 ? 'program ' : ''}${readFileSync(at).toString('latin1')}`]]
  })
  return Object.fromEntries(entries.flat())
}

/** Applies a patch to files in a folder that is no repository, and returns what comes out. */
async function applied(start: string, patch: string | undefined): Promise<Record<string, string>> {
  const folder = join(tempFolder(), 'applied')
  cpSync(start, folder, { recursive: true, verbatimSymlinks: true })
  const env = { ...plainGit(folder), GIT_CEILING_DIRECTORIES: join(folder, '..') }
  const words = ['-c', 'core.protectNTFS=false', 'apply', '--whitespace=nowarn', '-']
  await execa('git', words, { cwd: folder, env, input: patch ?? '' })
  return contentOf(folder)
}

/** The tree of a folder's files by git's own index: nothing ignored, nothing converted. */
async function treeByIndex(folder: string): Promise<string> {
  const repository = join(tempFolder(), 'repository')
  await git(folder, 'init', '--quiet', '--bare', repository)
  const lines: string[] = []
  for (const path of Object.keys(contentOf(folder))) {
    const words = ['--git-dir', repository, 'hash-object', '-w', '--no-filters', '--', path]
    lines.push(`100644 blob ${(await git(folder, ...words)).trim()}\t${path}\0`)
  }
  const env = { ...plainGit(folder), GIT_DIR: repository }
  const index = ['-c', 'core.protectNTFS=false', 'update-index', '-z', '--index-info']
  await execa('git', index, { cwd: folder, env, input: lines.join('') })
  return (await execa('git', ['write-tree'], { cwd: folder, env })).stdout
}

const runs = { numRuns: 30, seed: 27, endOnFailure: true }

describe('ship', () => {
  it('makes a patch under bench that leads from the start to the work, whatever was changed', async () => {
    await fc.assert(
      fc.asyncProperty(treeOf(texts), treeOf(texts), fc.nat(3), async (start, changes, odd) => {
        const kept = Object.entries(start).filter((_, index) => index % 3 !== odd)
        const work = onePath({ ...Object.fromEntries(kept), ...changes })
        const place = chainPlace({ start: onePath(start), work })
        const { exitCode, stdout, stderr } = await place.run('ship')
        if (JSON.stringify(sorted(work)) === JSON.stringify(sorted(onePath(start))))
          return void expect({ exitCode, stdout }).toMatchObject({ exitCode: 1 })
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
        const { ship } = place.state()
        const begin = join(place.env.BENCH_STAGE, 'start')
        mkdirSync(begin, { recursive: true })
        expect(await applied(begin, ship?.patch)).toEqual(contentOf(place.workspace))
        expect(ship?.tree).toBe(await treeByIndex(place.workspace))
      }),
      runs,
    )
  }, 600_000)

  it('makes a patch alone that leads from the start to the work: with bytes that are no text, programs and links', async () => {
    const all = [...texts, ...bytes]
    await fc.assert(
      fc.asyncProperty(treeOf(all), treeOf(all), fc.nat(3), async (start, changes, odd) => {
        const folder = join(tempFolder(), 'folder')
        writeFiles(folder, onePath({ 'tool.sh': 'echo\n', ...start }))
        await runStage('ship', ['42', 'w1'], folder)
        const workspace = join(folder, '.bench/w1/workspace')
        const removed = Object.keys(start).filter((_, index) => index % 3 === odd)
        await execa('rm', ['-rf', '--', ...removed, ...Object.keys(changes)], { cwd: workspace })
        writeFiles(workspace, onePath(changes))
        chmodSync(join(workspace, 'tool.sh'), 0o755)
        symlinkSync('tool.sh', join(workspace, 'link to tool'))
        expect(await runStage('ship', ['42', 'w1'], folder)).toMatchObject({ exitCode: 0, stderr: '' })
        const patch = readFileSync(join(folder, '.bench/w1/change.patch'), 'utf8')
        expect(patch).toBe(stateIn(folder, 'w1').ship?.patch)
        expect(await applied(folder, patch)).toEqual(contentOf(workspace))
      }),
      runs,
    )
  }, 600_000)

  it('makes a patch where a file becomes a folder, and a folder a file', async () => {
    const start = { a: 'x\n', 'b/c': 'y\n', 'b/d/e': 'z\n' }
    const place = chainPlace({ start, work: { 'a/b/c': 'x\n', b: 'y\n' } })
    expect(await place.run('ship')).toMatchObject({ exitCode: 0, stderr: '' })
    const begin = join(place.env.BENCH_STAGE, 'start')
    expect(await applied(begin, place.state().ship?.patch)).toEqual(contentOf(place.workspace))
  })

  it('has the same hashes for the same files, wherever and by whomever it runs', async () => {
    const start = { 'a.txt': 'a\n', 'b c.txt': 'b\r\n' }
    const work = { 'a.txt': 'b\n', 'ü.txt': '' }
    const other = {
      TZ: 'Asia/Tokyo',
      GIT_AUTHOR_NAME: 'x',
      GIT_AUTHOR_DATE: '2001-01-01T00:00:00',
      LANG: 'C',
    }
    const places = [{}, { ...other, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere' }].map((env) => {
      const place = chainPlace({ start, work })
      Object.assign(place.env, env)
      return place
    })
    for (const place of places) expect(await place.run('ship')).toMatchObject({ exitCode: 0, stderr: '' })
    const [one, two] = places.map((place) => place.state())
    expect(one).toEqual(two)
    expect(one?.ship).toMatchObject({ branch: 'bench/w1', files: ['a.txt', 'b c.txt', 'ü.txt'] })
  })

  it('makes a patch in a folder of a checkout that git takes there', async () => {
    const top = tempFolder()
    writeFiles(join(top, 'pack ages/ü'), { 'a.txt': 'a\n', 'gone.txt': 'x\n' })
    await git(top, 'init', '--quiet')
    await git(top, 'add', '.')
    const folder = join(top, 'pack ages/ü')
    await runStage('ship', ['42', 'w1'], folder)
    const workspace = join(folder, '.bench/w1/workspace')
    expect(readdirSync(workspace).sort()).toEqual(['a.txt', 'gone.txt'])
    writeFiles(workspace, { 'a.txt': 'b\n', 'new.txt': 'n\n' })
    await execa('rm', ['gone.txt'], { cwd: workspace })
    expect(await runStage('ship', ['42', 'w1'], folder)).toMatchObject({ exitCode: 0 })
    await git(folder, 'apply', '.bench/w1/change.patch')
    expect(contentOf(folder)).toEqual(contentOf(workspace))
  })
})

const sorted = (files: Bytes) => Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))

/** Leaves out a file where another path needs a folder of its name. */
const onePath = (files: Bytes): Bytes =>
  Object.fromEntries(
    Object.entries(files).filter(
      ([path]) => !Object.keys(files).some((other) => other.startsWith(`${path}/`)),
    ),
  )
