import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { load } from '../../src/launch.ts'
import { root } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** A bundle of its own, for which nothing is kept yet. */
function freshBundle() {
  const folder = tempFolder()
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const isKept = (path: string) => relative(root, path).startsWith(join('dist/bench/kept', '/'))
  cpSync(join(root, 'dist/bench'), join(folder, 'dist/bench'), {
    recursive: true,
    filter: (path) => !isKept(path),
  })
  const kept = join(folder, 'dist/bench/kept')
  const cache = join(folder, 'cache')
  const call = async (...args: string[]) => {
    const { stdout, stderr } = await execa(process.execPath, [join(folder, 'dist/bench/cli.cjs'), ...args], {
      env: { ORCHESTRATION_BENCH_CACHE: cache },
    })
    expect(stderr).not.toMatch(/^(bench|Error)/m)
    return stdout
  }
  const files = () =>
    readdirSync(kept).map((name) => [name, readFileSync(join(kept, name), 'latin1')] as const)
  return { folder, kept, cache, call, files }
}

it('keeps what the first calls of a command have compiled, each command for itself, and then no more', async () => {
  const { call, files } = freshBundle()
  for (const calls of [1, 2, 3]) {
    expect(await call('--version')).toBe(version)
    expect(files()).toEqual([
      [expect.stringMatching(/^\d+-help$/), expect.stringContaining(`{"calls":${calls},`)],
    ])
  }
  const before = files()
  expect(await call('--version')).toBe(version)
  expect(files()).toEqual(before)
  await call('runs')
  expect(files().map(([name]) => name.replace(/^\d+-/, ''))).toEqual(['help', 'runs'])
})

/** The same with all that a run needs beside it. */
function freshHarness() {
  const bundle = freshBundle()
  for (const part of ['tasks', 'fixtures', 'strategies', 'src', 'dist/src', 'dist/strategies'])
    cpSync(join(root, part), join(bundle.folder, part), { recursive: true })
  return bundle
}

it('keeps all that a run loads, so that a fourth one finds nothing to add', async () => {
  const { folder, call, files } = freshHarness()
  const run = (out: string) =>
    call('--tasks', 'answers/*', '--methods', 'baseline', '--quiet', '--out', join(folder, out))
  await run('a')
  // What a first run alone does is no use to later ones.
  expect(files().map(([, kept]) => kept.length < 100)).toEqual([true])
  for (const out of ['b', 'c']) await run(out)
  const [[name, kept] = ['', ''], ...others] = files()
  expect({ name, others }).toEqual({ name: expect.stringMatching(/^\d+-run$/), others: [] })
  expect(kept.length).toBeGreaterThan(500_000)
  await run('d')
  expect(files()).toEqual([[name, kept]])
})

it('takes tasks as it has read them before, and reads again what was changed since', async () => {
  const { folder, cache, call } = freshHarness()
  const suite = join(folder, 'mine')
  cpSync(join(root, 'tasks/answers'), suite, { recursive: true })
  const [task = ''] = readdirSync(suite)
  const yaml = join(suite, task, 'task.yaml')
  const digestIn = async (out: string) => {
    const plan = ['--tasks', `native:${join(suite, task)}`, '--methods', 'baseline']
    await call(...plan, '--quiet', '--out', join(folder, out))
    return JSON.parse(readFileSync(join(folder, out, 'run.json'), 'utf8')).tasks[0].digest
  }
  const first = await digestIn('a')
  expect(await digestIn('b')).toBe(first)
  const text = readFileSync(yaml, 'utf8')
  const renamed = text.replace(/^title: .*/m, 'title: Another one')
  writeFileSync(yaml, renamed)
  const changed = await digestIn('c')
  expect(changed).not.toBe(first)
  writeFileSync(yaml, text.replace(/^title: /m, 'titel: '))
  await expect(digestIn('d')).rejects.toThrow(/Did you mean title/)
  writeFileSync(yaml, text)
  expect(await digestIn('e')).toBe(first)
  // It does lean on what is kept: with another title there it is another task.
  const path = join(cache, 'yaml.json')
  const [, content = ''] = readFileSync(path, 'utf8').split('\n')
  const other = content.replaceAll('Another one', 'Yet another')
  expect(other).not.toBe(content)
  writeFileSync(path, `${crc32(other)}\n${other}`)
  writeFileSync(yaml, renamed)
  expect([first, changed]).not.toContain(await digestIn('f'))
})

it('answers all the same where what is kept is damaged or of another bundle, and replaces it', async () => {
  const { kept, call, files } = freshBundle()
  await call('--version')
  const [[name, whole] = ['', '']] = files()
  const main = /main-[\w-]{8}/.exec(whole)?.[0] ?? 'none'
  const ofAnother = whole.replace(main, 'main-00000000')
  for (const damaged of ['', 'x', whole.slice(0, 200), whole.slice(0, -200), ofAnother]) {
    writeFileSync(join(kept, name), damaged, 'latin1')
    expect(await call('--version')).toBe(version)
    const [[, after] = ['', '']] = files()
    expect(after).toContain(main)
    expect(after.length).toBeGreaterThan(whole.length - 100)
  }
})

it('answers where it may keep nothing', async () => {
  const { kept, call } = freshBundle()
  rmSync(kept, { recursive: true })
  expect(await call('--version')).toBe(version)
  expect(existsSync(kept)).toBe(false)
})

it('tells a library that what it can do without is not there', () => {
  const folder = tempFolder()
  const text =
    "(function (exports, require, module) { try { require('canvas') } catch { module.exports.went = 'on' } })"
  writeFileSync(join(folder, 'a.cjs'), text)
  expect(load(folder, 'a.cjs')).toEqual({ went: 'on' })
})
