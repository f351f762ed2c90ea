import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestResults } from '../../../src/schema/stage/tool-reports.ts'
import { needs } from '../../helpers/house/needs.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

describe('test runner', () => {
  const nodeTest = (body: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('holds', () => {})
test('adds', () => ${body})
`

  describe('the test runner', () => {
    it('runs tests of node:test in TypeScript, with a file that cannot be loaded named with its reason', async () => {
      const typed = nodeTest('assert.equal(one as number, 1)').replace(
        'test(',
        "import { one } from '../src/one.ts'\ntest(",
      )
      const workspace = writeWorkspace({
        'src/one.ts': 'export const one: number = 1\n',
        'checks/a.test.ts': typed,
        'checks/b.test.ts': `${typed}\nthrow new Error('not today')\n`,
      })
      const { report } = await runTool('test-runner', [], workspace)
      expect(report.summary.passed).toBeGreaterThanOrEqual(2)
      expect(report.failures.map(({ file, error }: Record<string, string>) => [file, error])).toEqual([
        ['checks/b.test.ts', 'Error: not today'],
      ])
    })

    needs('pytest for python3').it('runs pytest, and writes no cache into the workspace', async () => {
      const workspace = writeWorkspace({
        'test_a.py': 'def test_holds():\n    pass\n\n\ndef test_adds():\n    assert 1 + 1 == 3\n',
      })
      const { exitCode, report } = await runTool('test-runner', [], workspace)
      expect(report.failures).toEqual([
        { test_name: 'test_adds', file: 'test_a.py', line: 6, error: 'assert (1 + 1) == 3' },
      ])
      expect(exitCode).toBe(1)
      expect(readdirSync(workspace)).toEqual(['test_a.py'])
    })

    it('ends a run that takes too long with all its processes, and passes on what it printed', async () => {
      const late = 'setTimeout(() => fs.writeFileSync(process.argv[1], String(1)), 4000)'
      const workspace = writeWorkspace({
        'test/a.test.mjs': `import { spawn } from 'node:child_process'
import { test } from 'node:test'
test('holds', () => {})
test('has no end', async () => {
  spawn(process.execPath, ['-e', ${JSON.stringify(`const fs = require('fs'); ${late}`)}, 'late'])
  await new Promise((done) => setTimeout(done, 60_000))
})
`,
      })
      const { exitCode, report } = await runTool('test-runner', ['--timeout', '2'], workspace)
      expect({ exitCode, success: report.success }).toEqual({ exitCode: 1, success: false })
      expect(report.raw.text).toContain('did not end within 2 s')
      await new Promise((done) => setTimeout(done, 3500))
      expect(existsSync(join(workspace, 'late'))).toBe(false)
    })
  })
})

const nodeTest = (body: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('holds', () => {})
test('adds', () => ${body})
`

describe('the test runner', () => {
  it('runs vitest where tests import it, and prints the failures alone', async () => {
    const workspace = writeWorkspace(
      {
        'vitest.config.mjs': 'export default {}\n',
        'test/a.test.mjs': `import { expect, it } from 'vitest'
it('holds', () => {})
it('adds', () => expect(1 + 1).toBe(3))
`,
      },
      true,
    )
    const { exitCode, report, stderr } = await runTool('test-runner', [], workspace)
    expect(TestResults.parse(report)).toMatchSnapshot()
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
  })

  it('runs node:test, passes words on, and leaves nothing behind', async () => {
    const workspace = writeWorkspace({
      'test/a.test.mjs': nodeTest('assert.equal(1 + 1, 3)'),
      'test/b.test.mjs': nodeTest('assert.equal(1 + 1, 2)'),
    })
    const all = await runTool('test-runner', [], workspace)
    expect(all.report.failures).toMatchObject([{ test_name: 'adds', file: 'test/a.test.mjs', line: 4 }])
    expect(all.report.summary).toEqual({ total: 4, passed: 3, failed: 1, skipped: 0 })
    const one = await runTool('test-runner', ['--', 'test/b.test.mjs'], workspace)
    expect(one).toMatchObject({ exitCode: 0, report: { success: true, failures: [] } })
    expect(readdirSync(workspace)).toEqual(['test'])
  })

  it('says what is missing: tests, a runner, a known flag', async () => {
    const empty = writeWorkspace({ 'a.txt': '' })
    const nothing = await runTool('test-runner', [], empty)
    expect(nothing).toMatchObject({ exitCode: 1, report: { success: false } })
    expect(nothing.report.raw.reason).toMatch(/^no tests were found/)
    const without = writeWorkspace({ 'a.test.mjs': "import 'vitest'\n" })
    const missing = await runTool('test-runner', [], without, { PATH: '/usr/bin:/bin' })
    expect(missing.report.raw.reason).toMatch(/^vitest is not installed/)
    for (const args of [['--runner', 'jest'], ['--nosuch'], ['--timeout', '0']]) {
      const { exitCode, report, stderr } = await runTool('test-runner', args, empty)
      expect({ exitCode, report }).toEqual({ exitCode: 1, report: '' })
      expect(stderr).toContain('usage: node test-runner.mjs')
    }
  })
})

const good = "import { test } from 'node:test'\ntest('holds', () => {})\n"

const reportOf = async (files: Record<string, string>, words: readonly string[] = []) =>
  (await runTool('test-runner', [...words], writeWorkspace(files))).report

describe('the test runner', () => {
  it('runs the files that Node takes for tests, though they do not name node:test', async () => {
    const report = await reportOf({
      'a.test.mjs': good,
      'b.test.mjs': "import assert from 'node:assert'\nassert.equal(1, 2)\n",
      'c.test.mjs': 'export const = 1\n',
      'test/d.test.mjs': "import { check } from './helper.mjs'\ncheck('by a helper')\n",
      'test/helper.mjs':
        "import { test } from 'node:test'\nexport const check = (name) => test(name, () => { throw new Error('wrong') })\n",
      'test/data/broken.mjs': "throw new Error('this is no test')\n",
    })
    expect(report.success).toBe(false)
    const files = report.failures.map(({ file }: { file: string }) => file)
    expect(files).toEqual(expect.arrayContaining(['b.test.mjs', 'c.test.mjs']))
    expect(JSON.stringify(report.failures)).toMatch(/by a helper/)
    expect(files).not.toContain('test/data/broken.mjs')
  })

  needs('pytest for python3').it('runs the tests of two languages, and adds them', async () => {
    const report = await reportOf({
      'a.test.mjs': good,
      'tests/test_a.py': 'def test_a():\n    assert 1 == 2\n',
    })
    expect(report).toMatchObject({
      success: false,
      summary: { total: 2, passed: 1, failed: 1, skipped: 0 },
      failures: [{ test_name: 'test_a', file: 'tests/test_a.py' }],
    })
    expect(report.not_run).toBeUndefined()
  })

  it('names tests that are written for another runner', async () => {
    const jest = { 'sum.test.js': "test('adds', () => { expect(1).toBe(2) })\n" }
    expect(await reportOf(jest)).toMatchObject({
      success: false,
      raw: { reason: 'jest is not one of the runners: these are vitest, node:test and pytest' },
    })
    expect(await reportOf({ ...jest, 'a.test.mjs': good })).toMatchObject({
      success: true,
      summary: { total: 1 },
      not_run: ['jest is not one of the runners'],
    })
    const mocha = {
      'package.json': '{"devDependencies":{"mocha":"11.0.0"}}',
      'test/a.test.js': "describe('a', () => { it('holds', () => {}) })\n",
    }
    expect((await reportOf(mocha)).raw.reason).toMatch(/^mocha is not one of the runners/)
  })

  it('says that a runner reached its time limit', async () => {
    const report = await reportOf(
      { 'a.test.mjs': "import { test } from 'node:test'\ntest('hangs', () => { for (;;); })\n" },
      ['--timeout', '2'],
    )
    expect(report.raw.reason).toMatch(/^node:test (?:wrote no JUnit file and )?did not end within 2 s/)
  })
})
