import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BuildResults } from '../../../src/schema/stage/tool-reports.ts'
import { needs } from '../../helpers/house/needs.ts'
import { openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { root } from '../../helpers/runs/cli.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

const tsconfig = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }'
const page = '<script type="module" src="/src/main.ts"></script>'

it('the build checker runs tsc and vite where both are of use, writes nothing, and prints the errors alone', async () => {
  const workspace = writeWorkspace(
    {
      'tsconfig.json': tsconfig,
      'vite.config.mjs': 'export default {}\n',
      'index.html': page,
      'src/main.ts': "export const one: number = 'one'\nimport '../../cli/tools/gone.js'\n",
    },
    true,
  )
  const { exitCode, report } = await runTool('build-checker', [], workspace)
  expect(exitCode).toBe(1)
  expect(BuildResults.parse(report).errors).toMatchObject([
    { file: 'src/main.ts', line: 1, column: 14, code: 'TS2322' },
    { file: 'src/main.ts', line: 2, code: 'TS2882' },
    { file: 'src/main.ts', code: 'UNRESOLVED_IMPORT' },
  ])
  expect(report.summary).toEqual({ errors: 3, warnings: 0 })
  expect(existsSync(join(workspace, 'dist'))).toBe(false)
  const types = await runTool('build-checker', ['--checker', 'tsc'], workspace)
  expect(types.report.summary).toEqual({ errors: 2, warnings: 0 })
})

it('the build checker exits with 0 for a build without errors', async () => {
  const workspace = writeWorkspace(
    { 'tsconfig.json': tsconfig, 'src/a.ts': 'export const a: number = 1\n' },
    true,
  )
  expect(await runTool('build-checker', [], workspace)).toEqual({
    exitCode: 0,
    stderr: '',
    report: { success: true, summary: { errors: 0, warnings: 0 }, errors: [] },
  })
})

it('the build checker says what is missing', async () => {
  const nothing = await runTool('build-checker', [], writeWorkspace({ 'a.txt': '' }))
  expect(nothing.report.raw.reason).toMatch(/^nothing to build was found/)
  const without = await runTool('build-checker', [], writeWorkspace({ 'vite.config.mjs': '' }), {
    PATH: '/usr/bin:/bin',
  })
  expect(without).toMatchObject({ exitCode: 1, report: { success: false } })
  expect(without.report.raw.reason).toMatch(/^vite is not installed/)
})

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
