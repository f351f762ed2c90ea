import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { branchOf } from '../../../src/loop/keep/keeper.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { withheldText } from '../../../src/loop/state/trial-state.ts'
import type { KeepWorkspaces } from '../../../src/schema/keep-workspaces.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Files } from '../../../src/schema/task.ts'
import type { FileEdit, StrategyResult } from '../../../src/strategy.ts'
import { AgentError, LimitError } from '../../../src/text/errors.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { gitSays, hashesOf, keptIn, textsIn, treeOf } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type Trials, workOff } from '../../helpers/runs/session.ts'
import { type AnyContext, agentOf, answerTask, strategyOf } from '../../helpers/runs/trial.ts'

/** A task with files, all but those in `fixed/` editable; a trial passes where its answer is 42. */
const taskWith = (files: Files) => answerTask({ editable: ['!fixed/**'] }, files)

const handIn = (answer: string): StrategyResult => ({ stopReason: 'done', answer })

/** A strategy that makes these edits and hands in this answer. */
const editing = (edits: readonly FileEdit[], answer = '41') =>
  strategyOf(async ({ workspace }) => {
    workspace.apply(edits)
    return handIn(answer)
  })

/** Runs trials and keeps their workspaces; returns the records, and the place of each kept workspace. */
async function kept(
  change: Partial<Trials>,
  { keep = 'all', redact }: { keep?: KeepWorkspaces; redact?: ReturnType<typeof createRedactor> } = {},
) {
  const trials: Trials = {
    ...{ folder: tempFolder(), mode: 'dev', epochs: 1 },
    ...{ agent: agentOf(() => 'Answer: 42'), strategy: editing([]), ...change },
  }
  const { end, notes } = await workOff(trials, {}, { keepWorkspaces: keep, redact })
  const { folder } = trials
  const records = [...readRecords(folder)]
  const places = keptIn(folder).map((name) => join(folder, 'workspaces', name))
  const trial = records[0]?.trial ?? '-'
  const place = join(folder, 'workspaces', trial)
  const repository = join(place, 'repository')
  return {
    trials,
    folder,
    end,
    notes,
    records,
    places,
    place,
    repository,
    branch: `bench/${trial}`,
  }
}

it('a kept workspace holds the graded files, and a repository that shows what the method did', async () => {
  const start = { 'a.txt': 'one\n', 'deep/b.txt': 'two', 'c "d" é.txt': 'three\n', 'fixed/e.txt': 'four\n' }
  const { place, repository, branch } = await kept({
    task: taskWith(start),
    strategy: editing([
      { path: 'a.txt', content: 'one\r\nmore' },
      { path: 'deep/b.txt', content: null },
      { path: 'deep/new 🙂/f.txt', content: '' },
      // Graders do not see this change, so it is not kept.
      { path: 'fixed/e.txt', content: 'changed' },
    ]),
  })
  const graded = {
    'a.txt': 'one\r\nmore',
    'c "d" é.txt': 'three\n',
    'deep/new 🙂/f.txt': '',
    'fixed/e.txt': 'four\n',
  }
  expect(readdirSync(place).sort()).toEqual(['files', 'repository'])
  expect(textsIn(join(place, 'files'))).toEqual(graded)
  expect(treeOf(repository, branch)).toEqual(hashesOf(graded))
  expect(treeOf(repository, 'start')).toEqual(hashesOf(start))
  expect(
    gitSays(repository, 'diff', '--name-status', '--no-renames', '-z', 'start', branch).split('\0'),
  ).toEqual(['M', 'a.txt', 'D', 'deep/b.txt', 'A', 'deep/new 🙂/f.txt', ''])
  expect(gitSays(repository, 'rev-list', '--count', branch)).toBe('2\n')
  expect(gitSays(repository, 'for-each-ref', '--format=%(refname)')).toBe(
    `refs/heads/${branch}\nrefs/heads/start\n`,
  )
  expect(gitSays(repository, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${branch}\n`)
  expect(gitSays(repository, 'fsck', '--strict', '--full')).toBe('')
})

it('a trial that changed nothing, or whose task has no files, has a workspace too', async () => {
  for (const files of [{}, { 'a.txt': 'one' }] as Files[]) {
    const { place, repository, branch } = await kept({ task: taskWith(files) })
    expect(textsIn(join(place, 'files'))).toEqual(files)
    expect(gitSays(repository, 'diff', 'start', branch)).toBe('')
    expect(treeOf(repository, branch)).toEqual(hashesOf(files))
  }
})

it('a file may take the name of a folder, and a folder that of a file', async () => {
  const { place, repository, branch } = await kept({
    task: taskWith({ a: 'file', 'b/c': 'in a folder' }),
    strategy: editing([
      { path: 'a', content: null },
      { path: 'a/x', content: 'in a folder' },
      { path: 'b/c', content: null },
      { path: 'b', content: 'file' },
    ]),
  })
  const graded = { 'a/x': 'in a folder', b: 'file' }
  expect(textsIn(join(place, 'files'))).toEqual(graded)
  expect(treeOf(repository, branch)).toEqual(hashesOf(graded))
})

it('--keep-workspaces failed keeps trials that did not pass: wrong, failed, in error and limited ones', async () => {
  const ends: (() => StrategyResult)[] = [
    () => handIn('42'),
    () => handIn('41'),
    () => {
      throw new Error('broken')
    },
    () => {
      throw new AgentError('server', 'down')
    },
    () => {
      throw new LimitError('calls', 'no more')
    },
    () => ({ stopReason: 'halted' }),
  ]
  let next = 0
  const strategy = strategyOf(async () => (ends[next++] as () => StrategyResult)())
  const { records, folder } = await kept({ strategy, epochs: ends.length }, { keep: 'failed' })
  expect(records.map(({ outcome }) => outcome.status).sort()).toEqual([
    ...['completed', 'completed', 'completed', 'error', 'failed', 'limited'],
  ])
  expect(keptIn(folder)).toEqual(
    records
      .filter(({ passed }) => passed !== true)
      .map(({ trial }) => trial)
      .sort(),
  )
  expect(keptIn(folder)).toHaveLength(5)
})

it('no workspace is kept by default, and records are the same either way', async () => {
  const without = await kept({ epochs: 3 }, { keep: 'none' })
  expect(readdirSync(without.folder)).not.toContain('workspaces')
  const all = await kept({ epochs: 3 })
  const plain = ({ records }: typeof all) => records.map((record) => ({ ...record, wall: 0 }))
  expect(plain(all)).toEqual(plain(without))
})

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

it('a trial that knows the reference solution keeps a note in place of each text that it wrote', async () => {
  const agent = agentOf(() => ({ text: 'Answer: 42', secret: true }))
  const strategy = strategyOf(async ({ ask, workspace }: AnyContext) => {
    await ask('solver', 'go')
    workspace.apply([
      { path: 'a.txt', content: 'the solution' },
      { path: 'b.txt', content: null },
    ])
    return handIn('42')
  })
  const task = taskWith({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' })
  const { place, repository, branch } = await kept({ agent, strategy, task })
  const graded = { 'a.txt': withheldText, 'c.txt': 'three' }
  expect(textsIn(join(place, 'files'))).toEqual(graded)
  expect(treeOf(repository, branch)).toEqual(hashesOf(graded))
})

it('a kept workspace holds no secret, neither in a text nor in the name of a file', async () => {
  const value = 'k3y-0f-s0me0ne-9'
  const redact = createRedactor([{ name: 'MY_KEY', value }])
  const strategy = editing([
    { path: 'a.txt', content: `key = ${value}\n` },
    { path: `${value}.txt`, content: 'x' },
  ])
  const { place, repository, branch } = await kept({ task: taskWith({}), strategy }, { redact })
  const texts = textsIn(join(place, 'files'))
  expect(texts['a.txt']).toBe('key = [redacted MY_KEY]\n')
  expect(JSON.stringify(texts)).not.toContain(value)
  expect(treeOf(repository, branch)).toEqual(hashesOf(texts))
})

it.each<unknown>([
  ...[
    undefined,
    {},
    { ship: null },
    { ship: 'bench/fix' },
    { ship: { branch: 7 } },
    { state: 'x', ends: [] },
  ],
  ...['start', 'fix', 'bench/', 'bench/../x', 'bench/-x', 'bench/A', 'bench/a.lock', 'bench/a/b'].map(
    (branch) => ({ ship: { branch } }),
  ),
  ...['bench/a\n', 'xbench/a', `bench/${'a'.repeat(65)}`].map((branch) => ({ ship: { branch } })),
])('a record whose state is %j names the branch of its trial', (state) => {
  expect(branchOf({ trial: 'abc', state: state as TrialRecord['state'] })).toBe('bench/abc')
})

it('the branch of a chained workflow is the branch of its repository', async () => {
  for (const id of ['issue-7', 'fix_12', '0', 'a'.repeat(64)]) {
    const chain = { ship: { branch: `bench/${id}`, tree: 'x' }, plan: 'x' }
    for (const state of [chain, { state: chain, ends: [] }]) {
      const strategy = strategyOf(async () => ({ ...handIn('41'), state }))
      const { repository } = await kept({ strategy, task: taskWith({ a: 'x' }) })
      expect(gitSays(repository, 'for-each-ref', '--format=%(refname:short)')).toBe(`bench/${id}\nstart\n`)
    }
  }
})

it('trials side by side share nothing: each repository has its own objects and refs', async () => {
  let trial = 0
  const strategy = strategyOf(async ({ workspace }) => {
    const own = `${trial++}`
    workspace.apply([{ path: 'own.txt', content: own }])
    return handIn(own)
  })
  const { places, records } = await kept({ strategy, epochs: 8, task: taskWith({ 'a.txt': 'same' }) })
  expect(places).toHaveLength(8)
  const texts = places.map((place) => textsIn(join(place, 'files'))['own.txt'])
  expect(new Set(texts).size).toBe(8)
  for (const [i, place] of places.entries()) {
    const repository = join(place, 'repository')
    const branch = `bench/${records.find(({ trial }) => place.endsWith(trial))?.trial}`
    expect(treeOf(repository, branch)).toEqual(hashesOf({ 'a.txt': 'same', 'own.txt': texts[i] ?? '' }))
    expect(gitSays(repository, 'for-each-ref').match(/refs/g)).toHaveLength(2)
    expect(readdirSync(join(repository, 'objects/info'))).toEqual([])
  }
})
