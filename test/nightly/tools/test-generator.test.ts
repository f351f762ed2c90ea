import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestGenResults } from '../../../src/schema/stage/tool-reports.ts'
import { needs } from '../../helpers/house/needs.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

const module = `export const add = (a, b = 2) => a + b
export async function load({ path }, ...more) { return path + more.length }
export default class Cart { constructor(items) { this.items = items } total() { return 0 } #hidden() {} _own() {} get size() { return 1 } }
export { add as plus, add as 'a "name"' }
export * from './other.mjs'
export * as everything from './other.mjs'
export const { x, y: [z] } = { x: 1, y: [2] }
export let later
`
const other = 'export const other = 1\nexport const plus = 3\nexport default 3\n'

/** A module with all kinds of exports, and one that it passes on. */
const moduleFiles = {
  'src/shop.mjs': module,
  'src/other.mjs': other,
  'vitest.config.mjs': 'export default {}\n',
}

/** Generates tests and runs them; returns the report of the generator with the text that it wrote. */
async function generateTests(
  files: Record<string, string>,
  target: string,
  framework: string,
  packages = false,
) {
  const workspace = writeWorkspace(files, packages)
  const made = await runTool(
    'test-generator',
    [`--target-path=${target}`, '--framework', framework],
    workspace,
  )
  expect(TestGenResults.parse(made.report)).toMatchObject({ success: true, target, framework })
  const ran = await runTool('test-runner', ['--runner', framework], workspace)
  expect(ran.report.failures).toEqual([])
  expect(ran).toMatchObject({ exitCode: 0, report: { success: true } })
  expect(ran.report.summary.total).toBe(made.report.summary.tests)
  return { ...made.report, text: readFileSync(join(workspace, made.report.test_file), 'utf8') }
}

const common = `const helper = (a) => a
class Box { open() {} }
module.exports = { helper, Box, three: 3, 'my-name': function (q) {}, async go(x) {} }
exports.lost = module.exports.late = 1
`
const typed = `export type Shape = { width: number }
export interface Size { height: number }
export abstract class Base { constructor(readonly name: string) {} protected hidden() {} shown(): void {} }
export const area = (shape: Shape): number => shape.width
export type { Shape as Other }
`

describe('the test generator', () => {
  it('writes tests for vitest that run: of a module with all kinds of exports', async () => {
    const { text, summary } = await generateTests(moduleFiles, 'src/shop.mjs', 'vitest', true)
    expect(summary).toEqual({ exports: 10, tests: 16 })
    for (const part of ['add(a, b)', 'async load({…}, ...more)', 'class default(items)', 'default.total()'])
      expect(text).toContain(part)
    expect(text).toContain('exports other')
    expect(text).not.toMatch(/hidden|_own|size/)
  })

  it('writes tests that run for CommonJS, whether it exports an object or one function', async () => {
    const { summary, text } = await generateTests({ 'src/old.cjs': common }, 'src/old.cjs', 'node:test')
    expect(summary).toEqual({ exports: 6, tests: 11 })
    expect(text).not.toContain('lost')
    expect(text).toContain('createRequire')
    const one = await generateTests(
      { 'one.js': 'module.exports = function main(a, b) {}\n' },
      'one.js',
      'node:test',
    )
    expect(one.summary).toEqual({ exports: 1, tests: 2 })
  })

  it('leaves the types of TypeScript out', async () => {
    const strippable = typed.replace('readonly name', 'name')
    const { text, summary } = await generateTests({ 'src/shape.ts': strippable }, 'src/shape.ts', 'node:test')
    expect(summary).toEqual({ exports: 2, tests: 5 })
    expect(text).not.toMatch(/Shape|Size|hidden/)
  })

  needs('pytest for python3').it(
    'writes tests for pytest that run, in a package and beside one',
    async () => {
      const python = `"""A "quoted" text."""
LIMIT = 3
def add(a, b=1, *rest, key, **more): return a + b
async def load(path): return path
def _private(): pass
def __dunder__(): pass
class Cart(list):
    def __init__(self, items): self.items = items
    def total(self): return 0
    @property
    def size(self): return 1
    def _hidden(self): pass
`
      const one = await generateTests({ 'loose/types.py': python }, 'loose/types.py', 'pytest')
      expect(one.summary).toEqual({ exports: 3, tests: 7 })
      expect(one.text).not.toMatch(/private|dunder|hidden|size|LIMIT/)
      const files = {
        'app/__init__.py': '',
        'app/one.py': `from .two import two\n${python}\n__all__ = ["LIMIT", "_private", "two"]\n`,
        'app/two.py': 'def two(): return 2\n',
      }
      const listed = await generateTests(files, 'app/one.py', 'pytest')
      expect(listed.summary).toEqual({ exports: 3, tests: 4 })
    },
  )
})

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
    expect(await said('--target-path', 'none.mjs')).toMatchSnapshot()
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
