import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { root } from '../../helpers/runs/cli.ts'

const programs = ['test-runner', 'test-generator', 'accept-typescript'].map((name) => [
  `.tools/${name}.mjs`,
  readFileSync(join(root, 'dist/bench/tools', `${name}.mjs`), 'utf8'),
])

const files = {
  ...Object.fromEntries(programs),
  'src/add.ts': 'export const add = (a: number, b: number): number => a - b\n',
  'src/solution.py': 'def add(a, b):\n    return a + b\n',
  'checks/add.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add } from '../src/add.ts'
test('adds', () => assert.equal(add(1, 2), 3))
test('holds', () => {})
`,
}

needs('bwrap', 'python3').it(
  'the tools run in a sandbox that shows no package of this checkout',
  async () => {
    const sandbox = await openBubblewrap()
    const run = async (...command: string[]) => {
      const result = await sandbox?.run({ files, command: [process.execPath, ...command], timeoutMs: 60_000 })
      expect(result?.stderr).toBe('')
      return { exitCode: result?.exitCode, report: JSON.parse(result?.stdout ?? '') }
    }
    const ran = await run('.tools/test-runner.mjs')
    expect(ran.report.raw).toBeUndefined()
    expect(ran).toMatchObject({
      exitCode: 1,
      report: {
        summary: { total: 2, passed: 1, failed: 1, skipped: 0 },
        failures: [{ test_name: 'adds', file: 'checks/add.test.ts', line: 4 }],
      },
    })
    for (const target of ['src/add.ts', 'src/solution.py']) {
      const made = await run('.tools/test-generator.mjs', '--target-path', target)
      expect(made.report.error).toBeUndefined()
      expect(made.report.test_file).toBe(
        target.endsWith('.py') ? 'tests/test_solution.py' : 'checks/add-exports.test.ts',
      )
      expect(made).toMatchObject({
        exitCode: 0,
        report: { success: true, summary: { exports: 1, tests: 2 } },
      })
    }
  },
)
