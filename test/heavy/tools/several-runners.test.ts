import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

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
