import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { editing, kept, taskWith } from '../../helpers/machine/keep-trials.ts'
import { gitSays, hashesOf, textsIn, treeOf } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

it('equal trials give equal hashes, whatever the git settings of the user', async () => {
  const change = {
    task: taskWith({ 'a.txt': 'one\r\n' }),
    strategy: editing([{ path: 'b.txt', content: 'two' }]),
  }
  const head = async () => {
    const { repository, branch } = await kept(change)
    return gitSays(repository, 'rev-parse', branch, 'start', `${branch}^{tree}`)
  }
  const first = await head()
  const home = tempFolder()
  const hook = join(home, 'hooks', 'reference-transaction')
  mkdirSync(join(home, 'hooks'))
  writeFileSync(hook, `#!/bin/sh\ntouch ${join(home, 'hooked')}\n`, { mode: 0o755 })
  writeFileSync(
    join(home, '.gitconfig'),
    `[core]\n autocrlf = true\n hooksPath = ${join(home, 'hooks')}\n[commit]\n gpgSign = true\n[init]\n templateDir = ${home}\n defaultObjectFormat = sha256\n[user]\n name = Someone\n`,
  )
  onTestFinished(keepEnvironment())
  Object.assign(process.env, {
    ...{ HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') },
    ...{ GIT_DIR: join(home, 'other'), GIT_INDEX_FILE: join(home, 'index'), GIT_TEMPLATE_DIR: home },
    ...{
      GIT_AUTHOR_DATE: '2001-01-01',
      GIT_COMMITTER_NAME: 'Else',
      GIT_DEFAULT_HASH: 'sha256',
      TZ: 'Asia/Tokyo',
    },
    ...{ GIT_OBJECT_DIRECTORY: home, GIT_NAMESPACE: 'x', GIT_TRACE: join(home, 'trace') },
  })
  expect(await head()).toBe(first)
  expect(readdirSync(home).sort()).toEqual(['.gitconfig', 'hooks'])
})

it('rules of git among the files leave nothing out and change no text', async () => {
  const files = {
    '.gitattributes': '* text eol=lf ident working-tree-encoding=UTF-16\n*.txt filter=lfs export-ignore\n',
    '.gitignore': '*\n',
    'build/.gitignore': '*\n',
    'a.txt': '$Id$\r\nline\r\n',
    '.gitmodules': '[submodule "x"]\n path = x\n url = ./x\n',
  }
  const edits = [{ path: 'build/out.txt', content: '$Id$\r\n' }]
  const { repository, branch, place, notes } = await kept({ task: taskWith(files), strategy: editing(edits) })
  const graded = { ...files, 'build/out.txt': '$Id$\r\n' }
  expect(treeOf(repository, branch)).toEqual(hashesOf(graded))
  expect(textsIn(join(place, 'files'))).toEqual(graded)
  expect(notes).toEqual([])
})

it('files that would make a repository of their folder are in neither, and a note names them', async () => {
  const bad = ['.git/config', 'x/.GIT/HEAD', 'git~1', '.git./x', '.g\u200cit', 'y/.hg/hgrc']
  const heads = ['z/HEAD', 'z/objects/x', 'z/refs/x']
  const task = taskWith(Object.fromEntries([...bad, ...heads, 'a.txt'].map((path) => [path, 'text'])))
  const written = [{ path: '.npmrc', content: 'script-shell=x' }]
  const { repository, branch, place, notes } = await kept({ task, strategy: editing(written), epochs: 3 })
  const graded = { ...Object.fromEntries(['a.txt', 'z/objects/x', 'z/refs/x'].map((path) => [path, 'text'])) }
  expect(textsIn(join(place, 'files'))).toEqual({ ...graded, '.npmrc': 'script-shell=x' })
  expect(treeOf(repository, 'start')).toEqual(hashesOf(graded))
  expect(treeOf(repository, branch)).toEqual(hashesOf({ ...graded, '.npmrc': 'script-shell=x' }))
  expect(gitSays(repository, 'fsck', '--strict', '--full')).toBe('')
  // Each note once, though there are three trials.
  expect(notes).toHaveLength(2)
  expect(notes[0]).toMatch(
    /^workspaces\/[0-9a-f]+\/files omits \.git\/config, x\/\.GIT\/HEAD, .* and 2 more: .*repository/,
  )
  expect(notes[1]).toMatch(/files contains \.npmrc: tools load such files/)
})
