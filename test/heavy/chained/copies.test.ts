import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { git, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

it('a workflow of an npm workspace tests its own packages, and writes no file of the user', async () => {
  const folder = tempFolder()
  const test = (name: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark } from '${name}'
test('marks', () => assert.equal(mark(), 2))
`
  const shape = (value: number) => `import { writeFileSync } from 'node:fs'
export const mark = () => (writeFileSync(new URL('cache.txt', import.meta.url), ''), ${value})
`
  writeFiles(folder, {
    'package.json': '{"workspaces":["libs/*"]}\n',
    'libs/one/package.json': '{"name":"one","type":"module","exports":"./index.js"}\n',
    'libs/one/index.js': shape(1),
    'libs/two/package.json': '{"name":"@my/two","type":"module","exports":"./index.js"}\n',
    'libs/two/index.js': shape(1),
    'test/one.test.mjs': test('one'),
    'test/two.test.mjs': test('@my/two'),
    'node_modules/plain/package.json': '{}\n',
    'node_modules/@my/plain/package.json': '{}\n',
  })
  symlinkSync('../libs/one', join(folder, 'node_modules/one'))
  symlinkSync(join(folder, 'libs/two'), join(folder, 'node_modules/@my/two'))
  expect((await runStage('test', ['7', 'w1'], folder)).stdout).toBe('test: 0 of 2 tests passed')
  const workspace = join(folder, '.bench/w1/workspace')
  for (const name of ['one', 'two']) writeFileSync(join(workspace, `libs/${name}/index.js`), shape(2))
  expect((await runStage('test', ['7', 'w1'], folder)).stdout).toBe('test: 2 of 2 tests passed')
  expect(readdirSync(join(folder, 'libs/one')).sort()).toEqual(['index.js', 'package.json'])
  expect(readdirSync(join(folder, 'libs/two')).sort()).toEqual(['index.js', 'package.json'])
  for (const name of ['plain', '@my/plain'])
    expect(existsSync(join(workspace, 'node_modules', name, 'package.json'))).toBe(true)
})

it('a link that leads out by way of other links is no work, and one that stays inside is', async () => {
  const folder = tempFolder()
  writeFiles(folder, { 'a.txt': 'a\n', 'deep/er/b.txt': 'b\n', 'node_modules/tool/cli.mjs': '' })
  const links = {
    'deep/er/top': '../..',
    good: 'deep/er/top/a.txt',
    late: 'missing.txt',
    bin: 'node_modules/tool/cli.mjs',
    out: 'deep/er/top/../x',
    packages: 'node_modules/tool/../../../x',
    round: 'round',
    far: 'deep/er/../../..',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path))
  await runStage('test', ['7', 'w1'], folder)
  const workspace = join(folder, '.bench/w1/workspace')
  const copied = Object.keys(links).filter((path) =>
    lstatSync(join(workspace, path), { throwIfNoEntry: false }),
  )
  expect(copied).toEqual(['deep/er/top', 'good', 'late', 'bin'])
  expect(readFileSync(join(workspace, 'good'), 'utf8')).toBe('a\n')
})

it('a workflow takes neither files behind a link nor runs of bench', async () => {
  const folder = tempFolder()
  writeFiles(folder, {
    'mine/run.json': '{"scripts":{}}\n',
    'old/file.txt': 'old\n',
    'results/one/run.json': '{"schemaVersion":12}\n',
    'results/one/artifacts/x.txt': 'x\n',
    'kept/run.json': '{}\n',
    'kept/records.jsonl': '',
  })
  await git(folder, 'init', '--quiet')
  await git(folder, 'add', '.')
  rmSync(join(folder, 'old'), { recursive: true })
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real/file.txt'), 'real\n')
  symlinkSync('real', join(folder, 'old'))
  await runStage('test', ['7', 'w1'], folder)
  const workspace = join(folder, '.bench/w1/workspace')
  expect(readdirSync(workspace).sort()).toEqual(['mine', 'old', 'real'])
  expect(lstatSync(join(workspace, 'old')).isSymbolicLink()).toBe(true)
})

it('a stage says in words what is wrong with the places of a workflow', async () => {
  const broken = async (breakIt: (folder: string) => void) => {
    const folder = tempFolder()
    writeFiles(folder, { 'a.txt': '' })
    breakIt(folder)
    const { exitCode, stderr } = await runStage('ship', ['7', 'w1'], folder)
    expect(exitCode).toBe(1)
    return stderr.replaceAll(folder, '')
  }
  const made = (folder: string) => {
    writeFiles(join(folder, '.bench/w1'), {
      'state.json':
        '{"version":1,"workflow_id":"w1","issue":"7","task":"","output":"files","round":1,"stages":[]}\n',
    })
    mkdirSync(join(folder, '.bench/w1/workspace'))
  }
  expect(await broken((folder) => writeFileSync(join(folder, '.bench'), ''))).toBe(
    'ship: /.bench is not a folder; remove it, or move it away',
  )
  expect(await broken((folder) => symlinkSync('gone', join(folder, '.bench')))).toBe(
    'ship: /.bench is a link that leads nowhere; remove it, or move it away',
  )
  expect(
    await broken((folder) => {
      mkdirSync(join(folder, '.bench'))
      symlinkSync('gone', join(folder, '.bench/w1'))
    }),
  ).toBe('ship: /.bench/w1 is a link that leads nowhere; remove it, or move it away')
  expect(
    await broken((folder) => {
      made(folder)
      mkdirSync(join(folder, '.bench/w1/repository'))
    }),
  ).toBe('ship: /.bench/w1/repository is not the repository of a workflow; use another workflow id')
  expect(
    await broken((folder) => {
      made(folder)
      writeFileSync(join(folder, '.bench/w1/repository'), '')
    }),
  ).toBe('ship: /.bench/w1/repository is not a folder; remove it, or move it away')
})

it('a workflow that began with an id alone takes the first task that it is given', async () => {
  const folder = tempFolder()
  writeFiles(folder, { 'a.txt': '', 'more/7.md': 'Add b.\n' })
  await runStage('test', ['7', 'w1'], folder)
  expect(stateIn(folder, 'w1').task).toBe('')
  await runStage('test', ['more/7.md', 'w1'], folder)
  expect(stateIn(folder, 'w1')).toMatchObject({ task: 'Add b.\n', issue: '7' })
})
