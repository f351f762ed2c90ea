import { describe, expect, it } from 'vitest'
import { TestGenResults } from '../../../src/schema/stage/tool-reports.ts'
import { needs } from '../../helpers/house/needs.ts'
import { generateTests, moduleFiles } from '../../helpers/tools/generate-tests.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

describe('the test generator', () => {
  it('writes tests for node:test that run: of a module with all kinds of exports', async () => {
    const { text, summary } = await generateTests(moduleFiles, 'src/shop.mjs', 'node:test')
    expect(summary).toEqual({ exports: 10, tests: 16 })
    for (const part of ['add(a, b)', 'async load({…}, ...more)', 'class default(items)', 'default.total()'])
      expect(text).toContain(part)
    expect(text).toContain('exports other')
    expect(text).not.toMatch(/hidden|_own|size/)
  })

  it('says why there is nothing to write, and replaces no file', async () => {
    const workspace = writeWorkspace({
      'broken.mjs': 'const a = (\n',
      'none.mjs': 'console.log(1)\n',
      'types.d.ts': 'export const a: number\n',
      'a.txt': '',
      'good.mjs': 'export const a = 1\n',
    })
    const said = async (...args: string[]) => {
      const { exitCode, report } = await runTool('test-generator', args, workspace)
      expect(exitCode).toBe(1)
      return TestGenResults.parse(report).error
    }
    expect(await said('--target-path', 'broken.mjs')).toMatch(/^broken\.mjs:2:1: /)
    expect(await said('--target-path', 'none.mjs')).toBe(
      'none.mjs exports nothing, so there is nothing to test',
    )
    expect(await said('--target-path', 'types.d.ts')).toBe('types.d.ts only declares types')
    expect(await said('--target-path', 'a.txt')).toMatch(/neither JavaScript/)
    expect(await said('--target-path', 'gone.mjs')).toBe('gone.mjs does not exist')
    expect(await said('--target-path', 'good.mjs', '--out', 'none.mjs')).toMatch(/^none\.mjs exists already/)
    expect(await said('--target-path', 'good.mjs', '--framework', 'pytest')).toMatch(/does not test/)
    for (const args of [
      [],
      ['--target-path', '../x.mjs'],
      ['--target-path', 'good.mjs', '--out', '/tmp/x.mjs'],
    ])
      expect((await runTool('test-generator', args, workspace)).stderr).toContain(
        'usage: node test-generator.mjs',
      )
  })

  needs('python3').it('says where Python cannot be parsed', async () => {
    const workspace = writeWorkspace({ 'bad.py': 'def x(:\n    pass\n' })
    const { report } = await runTool('test-generator', ['--target-path', 'bad.py'], workspace)
    expect(report).toMatchObject({ success: false, error: 'bad.py:1:7: invalid syntax' })
  })
})
