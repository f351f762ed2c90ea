import { describe, expect, it } from 'vitest'
import { withCommonJsNames } from '../../../src/graders/test-run/strip-types.ts'

const given = (code: string, path = 'a.js') => {
  const added = withCommonJsNames(code, path).slice(0, -code.length)
  return [...added.matchAll(/\b(require|__dirname|__filename) = /g)].map(([, name]) => name)
}

describe('names of CommonJS', () => {
  it('are given to a module that uses them, and to what was TypeScript whatever it imports', () => {
    expect(given("import 'x'; f(__dirname, __filename)")).toEqual(['__dirname', '__filename'])
    expect(given("require('x')", 'a.ts')).toEqual(['require'])
    expect(given('export const a = { dir: __dirname }')).toEqual(['__dirname'])
    expect(given('f(__dirname)', 'a.mjs')).toEqual(['__dirname'])
    expect(given("import 'x'; function f(require) { return require } f(require)")).toEqual(['require'])
    expect(given("import 'x'; if (1) { var __dirname = '' }")).toEqual(['__dirname'])
    expect(given("const url = 'a: b'; export const f = () => { const __dirname = 1 }; f(__dirname)")).toEqual(
      ['__dirname'],
    )
  })

  it('are not given where the module declares them, where Node gives them, and where nothing uses them', () => {
    for (const declared of [
      "const __dirname = ''",
      "export let __dirname = ''",
      'import __dirname from "x"',
      'import { a as __dirname } from "x"',
      'import * as __dirname from "x"',
      'const { a: { b: __dirname } } = {}',
      'const [, __dirname = 1] = []',
      'function __dirname() {}',
      'export class __dirname {}',
    ])
      expect(given(`import 'x'\n${declared}; f(__dirname)`), declared).toEqual([])
    expect(given("const { a } = require('a')")).toEqual([])
    expect(given("require('a')", 'a.cts')).toEqual([])
    expect(given('export const a = 1', 'a.ts')).toEqual([])
  })

  it('leave the numbers of lines', () => {
    const code = "import 'x'\nf(__dirname)\n"
    expect(withCommonJsNames(code, 'a.js').split('\n')).toHaveLength(code.split('\n').length)
  })
})
