import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withheldText } from '../../../src/loop/branch/trial-state.ts'
import { branchOf } from '../../../src/loop/work/kept-files.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Files } from '../../../src/schema/task.ts'
import type { StrategyResult } from '../../../src/strategy.ts'
import { AgentError, LimitError } from '../../../src/text/errors.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { editing, handIn, kept, taskWith } from '../../helpers/machine/keep-trials.ts'
import { gitSays, hashesOf, keptIn, textsIn, treeOf } from '../../helpers/machine/kept-workspaces.ts'
import { type AnyContext, agentOf, strategyOf } from '../../helpers/runs/trial.ts'

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
