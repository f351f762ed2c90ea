import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TestResults } from '../../../src/schema/stage/tool-reports.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

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
    expect(TestResults.parse(report)).toEqual({
      success: false,
      summary: { total: 2, passed: 1, failed: 1, skipped: 0 },
      failures: [
        {
          test_name: 'adds',
          file: 'test/a.test.mjs',
          line: 3,
          error: 'AssertionError: expected 2 to be 3 // Object.is equality',
        },
      ],
    })
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
