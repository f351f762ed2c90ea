import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { git, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

/** Every entry of a folder but `.bench`: what it is, its mode, its time and a hash of its bytes. */
function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    if (/^\.bench(\/|$)/.test(path)) return []
    const at = join(folder, path)
    const { mode, mtimeMs } = lstatSync(at)
    const isFolder = lstatSync(at).isDirectory()
    const isLink = lstatSync(at).isSymbolicLink()
    const bytes = isFolder ? '' : isLink ? readlinkSync(at) : readFileSync(at)
    return [[path, `${mode} ${isFolder ? '' : mtimeMs} ${createHash('sha1').update(bytes).digest('hex')}`]]
  })
  return Object.fromEntries(entries)
}

const test = (wanted: number) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../src/value.mjs'
test('has the value', () => assert.equal(value, ${wanted}))
`

/** A checkout with all that git can hold beside files, and a configuration that makes git run programs. */
async function writeCheckout() {
  const home = tempFolder()
  const folder = join(home, 'project')
  writeFiles(folder, {
    'src/value.mjs': 'export const value = 1\n',
    'test/value.test.mjs': test(1),
    '.gitignore': 'dist/\n*.secret\n',
    '.gitattributes': '* text=auto\n*.mjs filter=spy diff=spy\n',
    'ü b.txt': 'a\r\nb\r\n',
    'node_modules/left-pad/package.json': '{"name":"left-pad"}\n',
    '.git-is-not-this/x': '',
  })
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  await git(folder, 'add', '.')
  await git(folder, 'commit', '--quiet', '-m', 'One')
  await git(folder, 'branch', 'side')
  await git(folder, 'branch', 'bench/w1')
  await git(folder, 'tag', 'v1')
  writeFileSync(join(folder, 'src/value.mjs'), 'export const value = 2\n')
  await git(folder, 'stash')
  writeFileSync(join(folder, 'src/value.mjs'), 'export const value = 3\n')
  writeFileSync(join(folder, 'test/value.test.mjs'), test(3))
  await git(folder, 'add', 'test/value.test.mjs')
  writeFiles(folder, { 'dist/out.js': 'ignored\n', 'key.secret': 'k\n', 'new file.txt': 'untracked\n' })
  symlinkSync('src/value.mjs', join(folder, 'inner-link'))
  symlinkSync(tempFolder(), join(folder, 'outer-link'))
  const ran = join(home, 'ran')
  const spy = join(home, 'spy.sh')
  writeFileSync(spy, `#!/bin/sh\necho "$0 $@" >> '${ran}'\ncat\n`)
  chmodSync(spy, 0o755)
  for (const hook of [
    'pre-commit',
    'post-commit',
    'reference-transaction',
    'post-index-change',
    'post-checkout',
    'fsmonitor',
  ])
    symlinkSync(spy, join(folder, '.git/hooks', hook))
  const config = `[commit]\n gpgsign = true\n[gpg]\n program = ${spy}\n[core]\n autocrlf = true\n hooksPath = ${folder}/.git/hooks
 fsmonitor = ${spy}\n pager = ${spy}\n[diff]\n external = ${spy}\n noprefix = true\n[diff "spy"]\n textconv = ${spy}\n command = ${spy}
[filter "spy"]\n clean = ${spy}\n smudge = ${spy}\n required = true\n[user]\n name = me\n email = me@example.org\n[color]\n ui = always
[init]\n templateDir = ${folder}/.git\n defaultBranch = other\n[core]\n quotePath = false\n[apply]\n whitespace = error\n`
  writeFileSync(join(folder, '.git/config'), `${readFileSync(join(folder, '.git/config'), 'utf8')}${config}`)
  writeFileSync(join(home, '.gitconfig'), config)
  return { home, folder, ran }
}

describe('two workflows on one checkout at once', () => {
  it('never touch it, nor each other: no file, branch, stash, hook or setting', async () => {
    const { home, folder, ran } = await writeCheckout()
    const before = snapshot(folder)
    // As a hook of git would start them.
    const hook = { GIT_DIR: join(folder, '.git'), GIT_INDEX_FILE: join(folder, '.git/index'), GIT_PREFIX: '' }
    const env = { HOME: home, ...hook }
    const walk = async (workflow: string, value: number) => {
      const words = ['42', workflow]
      const first = await runStage('test', words, folder, { env })
      const workspace = join(folder, '.bench', workflow, 'workspace')
      writeFiles(workspace, {
        'src/value.mjs': `export const value = ${value}\n`,
        'test/value.test.mjs': test(value),
        [`only-${workflow}.txt`]: workflow,
        'dist/out.js': 'made\n',
      })
      const second = await runStage('test', words, folder, { env })
      const shipped = await runStage('ship', words, folder, { env })
      return [first, second, shipped].map(({ exitCode, stderr }) => ({ exitCode, stderr }))
    }
    const ends = await Promise.all([walk('w1', 11), walk('w2', 22)])
    expect(ends.flat()).toEqual(Array(6).fill({ exitCode: 0, stderr: '' }))
    expect(snapshot(folder)).toEqual(before)
    expect(existsSync(ran)).toBe(false)
    expect(await git(folder, '-c', 'core.fsmonitor=false', 'status', '--porcelain')).not.toContain('.bench')

    for (const [workflow, value, other] of [
      ['w1', 11, 'w2'],
      ['w2', 22, 'w1'],
    ] as const) {
      const own = join(folder, '.bench', workflow)
      const refs = await git(own, '--git-dir', join(own, 'repository'), 'for-each-ref', '--format=%(refname)')
      expect(refs.trim().split('\n')).toEqual([`refs/heads/bench/${workflow}`, 'refs/heads/start'])
      const { ship } = stateIn(folder, workflow)
      expect(ship?.files).toEqual([
        'dist/out.js',
        `only-${workflow}.txt`,
        'src/value.mjs',
        'test/value.test.mjs',
      ])
      expect(ship?.patch).toContain(`-export const value = 3\n+export const value = ${value}\n`)
      expect(ship?.patch).not.toContain(other)
      const workspace = readdirSync(join(own, 'workspace')).sort()
      expect(workspace).toEqual(
        [
          '.git-is-not-this',
          '.gitattributes',
          '.gitignore',
          'dist',
          'inner-link',
          'new file.txt',
          'node_modules',
        ].concat([`only-${workflow}.txt`, 'src', 'test', 'ü b.txt']),
      )
    }
    const [one, two] = ['w1', 'w2'].map((workflow) => stateIn(folder, workflow).ship?.base)
    expect(one).toBe(two)
  })

  it('begin one workflow together: one of them makes it, and both work on it', async () => {
    const folder = tempFolder()
    writeFiles(folder, { 'a.txt': 'a\n' })
    const ends = await Promise.all(Array.from({ length: 4 }, () => runStage('ship', ['42', 'w1'], folder)))
    for (const { exitCode, stdout, stderr } of ends) {
      expect([1, 2]).toContain(exitCode)
      expect(`${stdout}${stderr}`).toMatch(/nothing to ship|was changed by someone else|File exists|lock/)
    }
    expect(readdirSync(join(folder, '.bench')).sort()).toEqual(['.gitignore', 'w1'])
    expect(stateIn(folder, 'w1').stages.length).toBeGreaterThan(0)
  })
})

describe('a workflow in a folder', () => {
  it('takes all files but packages and what tools make, where the folder is no checkout', async () => {
    const folder = tempFolder()
    const env = { GIT_CEILING_DIRECTORIES: join(folder, '..') }
    writeFiles(folder, {
      '.gitignore': '*\n',
      'a.txt': '',
      'sub/node_modules/x/index.js': '',
      'sub/b.txt': '',
      '__pycache__/c.pyc': '',
    })
    await runStage('ship', ['42', 'w1'], folder, { env })
    const workspace = join(folder, '.bench/w1/workspace')
    const paths = ['.gitignore', 'a.txt', 'sub', 'sub/b.txt', 'sub/node_modules', 'sub/node_modules/x']
    // Node goes into folders that are linked.
    expect(readdirSync(workspace, { recursive: true }).sort()).toEqual([
      ...paths,
      'sub/node_modules/x/index.js',
    ])
  })

  it('takes the files of a folder that git ignores as a whole', async () => {
    const top = tempFolder()
    writeFiles(top, { '.gitignore': '*\n', 'project/a.txt': '', 'project/.env': 'x\n' })
    await git(top, 'init', '--quiet')
    await runStage('ship', ['42', 'w1'], join(top, 'project'))
    expect(readdirSync(join(top, 'project/.bench/w1/workspace')).sort()).toEqual(['.env', 'a.txt'])
    await runStage('ship', ['42', 'w1'], top)
    expect(readdirSync(join(top, '.bench/w1/workspace'))).toEqual([])
  })
})
