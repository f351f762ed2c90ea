import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { generateTests, moduleFiles } from '../../helpers/tools/generate-tests.ts'

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
