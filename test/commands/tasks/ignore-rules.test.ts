import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWorkspace } from '../../../src/commands/tasks/workspace-files.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { ignoredTree, type Tree, takenOf } from '../../helpers/machine/ignored-trees.ts'
import { tempFolder, writeFiles } from '../../helpers/machine/temp.ts'

const files = (...paths: string[]): Tree => Object.fromEntries(paths.map((path) => [path, 'text\n']))
const taken = async (folder: string) => Object.keys((await readWorkspace(folder, [])).files).sort()

// The user who runs the tests may have own rules.
const restoreEnvironment = keepEnvironment()
beforeEach(() => {
  Object.assign(process.env, { XDG_CONFIG_HOME: tempFolder(), GIT_CONFIG_GLOBAL: '/dev/null' })
})
afterEach(restoreEnvironment)

describe('ignore rules', () => {
  const tree = {
    ...files(
      'a.log',
      'keep.log',
      'src/a.log',
      'src/keep.log',
      'src/deep/a.txt',
      'src/deep/b.txt',
      'src/deep/c.txt',
    ),
    ...files(
      'build/x.js',
      'src/build/y.js',
      'src/build.js',
      'doc/a/b/c.md',
      'doc/c.md',
      'top.txt',
      'src/top.txt',
    ),
    ...files('#note', '!odd', 'a b.txt', 'two  ', 'local/x', 'wide/a/x', 'wide/x'),
    '.gitignore': [
      ...[
        '# rules',
        '*.log',
        '!keep.log',
        'build/',
        '/top.txt',
        'doc/**/c.md',
        '\\#note',
        '\\!odd',
        'a b.txt   ',
      ],
      'wide/*/x',
    ].join('\r\n'),
    'src/.gitignore': '!a.log\n/deep/*\n!/deep/b.txt\n',
    'src/deep/.gitignore': '!c.txt\n',
    '.git/info/exclude': 'local\n!*.log\n',
  }

  it('leave out what git leaves out: nested files, negations, folders, anchored and loose patterns, info/exclude', async () => {
    const place = join(tempFolder(), 'repository')
    const { git, bench } = await takenOf(place, tree)
    expect(bench).toEqual(git)
    expect(bench).toContain('src/a.log')
    expect(bench).toContain('src/deep/c.txt')
    expect(bench).not.toContain('src/deep/a.txt')
  })

  it('apply in a folder that is not a repository, except those of a repository', async () => {
    const folder = tempFolder()
    const { '.git/info/exclude': _, ...rest } = tree
    writeFiles(folder, rest)
    expect(await taken(folder)).not.toContain('a.log')
    expect(await taken(folder)).toEqual(expect.arrayContaining(['keep.log', 'local/x', 'src/deep/b.txt']))
  })

  it('of a repository apply in its subfolders', async () => {
    const place = join(tempFolder(), 'repository')
    const { git, bench } = await takenOf(place, tree, 'src')
    expect(bench).toEqual(git)
    expect(bench).toContain('top.txt')
    expect(bench).not.toContain('build/y.js')
  })

  it('of a worktree include those of its repository', async () => {
    const folder = tempFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: join(folder, 'main'),
      })
    writeFiles(join(folder, 'main'), files('a.txt'))
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    git('worktree', 'add', '-q', '../tree')
    writeFiles(folder, { 'main/.git/info/exclude': 'mine\n' })
    writeFiles(join(folder, 'tree'), files('mine', 'other'))
    expect(await taken(join(folder, 'tree'))).toEqual(['a.txt', 'other'])
  })

  it('do not leave out a folder that the user names, but apply inside it', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, '.git'))
    writeFiles(folder, { '.gitignore': 'tmp/\n*.log\n', ...files('tmp/work/a.txt', 'tmp/work/b.log') })
    expect(await taken(join(folder, 'tmp/work'))).toEqual(['a.txt'])
    expect(await taken(join(folder, 'tmp'))).toEqual(['work/a.txt'])
    writeFiles(folder, { '.gitignore': '# a home that keeps a few files\n*\n!.bashrc\n*.log\n' })
    expect(await taken(join(folder, 'tmp/work'))).toEqual(['a.txt'])
  })

  it('of a nested repository are its own', async () => {
    const folder = tempFolder()
    writeFiles(folder, { ...files('in/a.txt', 'in/b.txt', 'b.txt'), 'in/.git/info/exclude': 'b.txt\n' })
    expect(await taken(folder)).toEqual(['b.txt', 'in/a.txt'])
  })

  it('of the user for all repositories apply, from the default place and from git settings', async () => {
    const folder = tempFolder()
    writeFiles(folder, files('a.mine', 'b.mine', 'a.other'))
    writeFiles(process.env.XDG_CONFIG_HOME ?? '', { 'git/ignore': '*.mine\n', rules: '*.other\n' })
    expect(await taken(folder)).toEqual(['a.other'])
    const settings = join(tempFolder(), 'settings')
    writeFileSync(settings, `[core]\n\texcludesFile = ${process.env.XDG_CONFIG_HOME}/rules\n`)
    process.env.GIT_CONFIG_GLOBAL = settings
    expect(await taken(folder)).toEqual(['a.mine', 'b.mine'])
    process.env.PATH = ''
    expect(await taken(folder)).toEqual(['a.other'])
  })

  it('are read after a byte order mark', async () => {
    const folder = tempFolder()
    writeFiles(folder, { '.gitignore': '\ufeffa.txt\n', ...files('a.txt', 'b.txt') })
    expect(await taken(folder)).toEqual(['.gitignore', 'b.txt'])
  })

  it('agree with git on generated trees and patterns', async () => {
    const place = join(tempFolder(), 'repository')
    for (let seed = 0; seed < 4; seed++) {
      const { git, bench } = await takenOf(place, ignoredTree(seed))
      expect([seed, bench]).toEqual([seed, git])
    }
  })
})
