import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'
import { chainPlace, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

const bare = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
const tsconfig = '{"compilerOptions":{"noEmit":true},"files":["a.ts"]}\n'
/** A file whose tests are made for a runner that is not here. */
const source = { 'lib/area.mjs': 'export const area = (w, h) => w * h\n' }
const vitestTest = {
  'area.test.mjs': `import { expect, it } from 'vitest'
it('is an area', () => expect(1).toBe(1))
`,
}

describe('a tool that is missing', () => {
  it.each([
    ['tsc is', { 'tsconfig.json': tsconfig, 'a.ts': '' }],
    ['vite is', { 'vite.config.mjs': 'export default {}\n' }],
    ['tsc and vite are', { 'tsconfig.json': tsconfig, 'a.ts': '', 'vite.config.ts': 'export default {}\n' }],
  ])('leaves a build unchecked: %s not installed', async (who, start) => {
    const place = chainPlace({ start, answer: () => 'Done.' })
    Object.assign(place.env, bare)
    const detail = `${who} not installed, so the build was not checked`
    expect(await place.run('build')).toEqual({ exitCode: 0, stdout: `build: ${detail}`, stderr: '' })
    expect(place.state().stages).toEqual([{ stage: 'build', status: 'done', detail }])
    expect(place.state().build_results).toBeUndefined()
  })

  it.each([
    ['export const a: number = 1\n', 0, 'the build is good'],
    ["export const a: number = ''\n", 1, 'the build has 1 error'],
  ])('leaves the other checker of a build its say: %j', async (text, exitCode, said) => {
    const start = { 'tsconfig.json': tsconfig, 'a.ts': text, 'vite.config.mjs': 'export default {}\n' }
    const place = chainPlace({ start, answer: () => 'Done.' })
    Object.assign(place.env, bare)
    mkdirSync(join(place.workspace, 'node_modules'))
    symlinkSync(join(root, 'node_modules/typescript'), join(place.workspace, 'node_modules/typescript'))
    expect(await place.run('build')).toMatchObject({
      exitCode,
      stdout: `build: ${said}; vite is not installed, so this part was not checked`,
    })
    expect(place.state().build_results).toMatchObject({ success: exitCode === 0 })
    expect(place.state().build_results?.raw).toBeUndefined()
  })

  it('leaves tests to the visible checks', async () => {
    const check = { status: 'passed', passed: 2, total: 2, output: '' }
    const work = { ...vitestTest, ...source }
    const answer = ({ check: asked }: Record<string, unknown>) => (asked ? check : null)
    const place = chainPlace({ start: vitestTest, work, answer })
    Object.assign(place.env, bare)
    expect(await place.run('test')).toMatchObject({
      exitCode: 0,
      stdout: 'test: 2 of 2 tests passed; vitest is not installed',
    })
  })

  it('leaves nothing to test with where there are no checks: vitest', async () => {
    const place = chainPlace({ start: vitestTest, work: { ...vitestTest, ...source } })
    Object.assign(place.env, bare)
    const detail = 'vitest is not installed: nothing could be tested'
    expect(await place.run('test')).toEqual({ exitCode: 0, stdout: `test: ${detail}`, stderr: '' })
    expect(place.state().test_results).toBeUndefined()
  })

  it.each([
    ['pytest', 'echo "$0: No module named pytest" >&2; exit 1'],
    ['python3', undefined],
  ])('leaves nothing to test with where there are no checks: %s', async (name, script) => {
    const folder = tempFolder()
    const bin = tempFolder()
    writeFiles(folder, { 'test_area.py': 'def test_area():\n    assert True\n' })
    if (script) {
      writeFiles(bin, { python3: `#!/bin/sh\n${script}\n` })
      chmodSync(join(bin, 'python3'), 0o755)
    }
    writeFiles(folder, source)
    symlinkSync('/usr/bin/git', join(bin, 'git'))
    const { exitCode, stdout } = await runStage('test', ['42', 'w1'], folder, { env: { PATH: bin } })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `test: ${name} is not installed: nothing could be tested`,
    })
    expect(stateIn(folder, 'w1').test_results).toBeUndefined()
  })
})

it('a test that hangs is a failed test with raw output, within the time of the stage', async () => {
  const hang = "import { test } from 'node:test'\ntest('waits', () => { for (;;); })\n"
  const place = chainPlace({ start: { 'wait.test.mjs': hang } })
  Object.assign(place.env, { CHAIN_SECONDS: '4' })
  const { exitCode, stdout, stderr } = await place.run('test')
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
  expect(stdout).toMatch(/^test: node:test (wrote no JUnit file and )?did not end within [\d.]+ s/)
  expect(place.state().test_results?.raw?.text).toContain('did not end within 3.2 s')
})

it('a build that fails without errors says why', async () => {
  const script = 'setTimeout(() => {}, 60_000)\n'
  const place = chainPlace({ start: { 'tsconfig.json': tsconfig }, answer: () => 'Done.' })
  writeFiles(join(place.workspace, 'node_modules/typescript'), {
    'package.json': '{"bin":{"tsc":"tsc.js"}}',
    'tsc.js': script,
  })
  Object.assign(place.env, { CHAIN_SECONDS: '2' })
  const { exitCode, stdout } = await place.run('build')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^build: tsc did not end by itself/)
})

it('work in Python without python3 leaves nothing to test', async () => {
  const place = chainPlace({ work: { 'area.py': 'def area(w, h):\n    return w * h\n' } })
  const bin = tempFolder()
  symlinkSync('/usr/bin/git', join(bin, 'git'))
  Object.assign(place.env, { PATH: bin })
  const said = 'python3 is not installed: nothing could be tested'
  expect(await place.run('test')).toEqual({ exitCode: 0, stdout: `test: ${said}`, stderr: '' })
})

it('the words of a test stage count skipped tests by themselves', async () => {
  const tests = "import { test } from 'node:test'\ntest('a', () => {})\ntest.skip('b', () => {})\n"
  const place = chainPlace({ start: { 'a.test.mjs': tests } })
  expect((await place.run('test')).stdout).toBe('test: 1 test passed, 1 was skipped')
})

describe('an approval with blocking problems', () => {
  it.each([
    [['Name it area.'], 1, 'revise: 1 blocking problem'],
    [['', ' '], 0, 'approved'],
  ])('%j: exit code %i', async (blocking, exitCode, said) => {
    const review = { verdict: 'approve', comments: 'Fine.', blocking }
    const place = chainPlace({ start: source, answer: () => review })
    expect(await place.run('review')).toMatchObject({ exitCode, stdout: `review: ${said}` })
    expect(place.state().review?.verdict).toBe(exitCode === 0 ? 'approve' : 'revise')
  })
})
