import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

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
