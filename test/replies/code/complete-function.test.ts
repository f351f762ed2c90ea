import { describe, expect, it } from 'vitest'
import { completeFunction } from '../../../src/replies/code/complete-function.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const python = `import math


def helper(x):
    return x + 1


def area(r):
    """Area of a circle.
    >>> area(0)
    0.0
    """
`
const complete = (language: string, path: string, prompt: string, entryPoint: string, code: string) =>
  completeFunction(
    sampleTask({
      files: { [path]: prompt },
      spec: { output: 'function', language, entryPoint, editable: [path] },
    }),
    code,
  )
const py = (code: string, prompt = python) => complete('python', 'solution.py', prompt, 'area', code)
const js = (code: string, prompt: string) => complete('javascript', 'area.mjs', prompt, 'area', code)

describe('a Python reply', () => {
  const head = python.trimEnd()

  it('of a body continues the prompt, however it is indented', () => {
    const body = '    if r < 0:\n        return 0\n    return math.pi * r * r'
    const expected = `${head}\n${body}\n`
    expect(py(body)).toBe(expected)
    expect(py(`\n${body}\n\n`)).toBe(expected)
    expect(py('if r < 0:\n    return 0\nreturn math.pi * r * r')).toBe(expected)
    expect(py('  if r < 0:\n      return 0\n  return math.pi * r * r')).toBe(expected)
    expect(py('if r < 0:\n        return 0\n    return math.pi * r * r')).toBe(expected)
  })

  it('of one statement continues the prompt', () => {
    expect(py('return 1')).toBe(`${head}\n    return 1\n`)
    expect(py('for i in [r]:\n    return i')).toBe(`${head}\n    for i in [r]:\n        return i\n`)
    expect(py('x = 1\n    return x')).toBe(`${head}\n    x = 1\n    return x\n`)
  })

  it('of a body with a helper after it stays unchanged', () => {
    const body = '    return twice(r)\n\n\ndef twice(x):\n    return 2 * x'
    expect(py(body)).toBe(`${head}\n${body}\n`)
  })

  it('of the whole function follows the prompt, whose helpers stay in scope', () => {
    const whole = 'from math import pi\n\ndef area(r):\n    return helper(pi * r * r)\n'
    expect(py(whole)).toBe(`${head}\n\n\n${whole}`)
    expect(py('area = lambda r: 3 * r')).toBe(`${head}\n\n\narea = lambda r: 3 * r\n`)
  })

  it('without code leaves the prompt unchanged', () => {
    expect(py(' \n')).toBe(python)
  })

  it('of a module may begin with imports of __future__, which come first', () => {
    const whole = 'from __future__ import annotations\nimport math\n\ndef area(r):\n    return r\n'
    expect(py(whole)).toBe(
      `from __future__ import annotations\n${head}\n\n\nimport math\n\ndef area(r):\n    return r\n`,
    )
  })

  it('of a class around the function is called through an instance', () => {
    const whole = 'class Solution:\n    def area(self, r):\n        return r'
    expect(py(whole)).toBe(`${head}\n\n\n${whole}\n\n\narea = Solution().area\n`)
  })

  it.each([
    'print(area(2))',
    'if __name__ == "__main__":\n    r = float(input())\n    print(area(r))',
    'assert area(0) == 1',
    'r = float(input())\nfor i in range(3):\n    print(area(r))',
    'area(1)\nresult = area(2)',
  ])('loses what only tries the function at its end: %s', (usage) => {
    const whole = 'def area(r):\n    return r * scale\n\nscale = 3'
    expect(py(`${whole}\n\n${usage}`)).toBe(`${head}\n\n\n${whole}\n`)
  })

  it.each(tableOf<string[]>(import.meta.url, 'keepsWhat'))(
    'keeps what the function may need, before and behind an example call: %s',
    (kept) => {
      const whole = 'def area(r):\n    return table[r] * scale\n'
      expect(py(`${whole}\n${kept}`)).toBe(`${head}\n\n\n${whole}\n${kept}\n`)
      expect(py(`${whole}\nprint(area(1))\n${kept}`)).toBe(`${head}\n\n\n${whole}\n${kept}\n`)
      expect(py(`${whole}\n${kept}\nassert area(1) == 9`)).toBe(`${head}\n\n\n${whole}\n${kept}\n`)
    },
  )

  it.each([
    ['an assertion between functions', 'assert area(1) == 2\n'],
    [
      'a test',
      'def try_it():\n    assert area(1) == 2\n\ntry_it()\n',
      'def try_it():\n    assert area(1) == 2\n\n',
    ],
    ['what reads what is left out', 'n = int(input())\nxs = [0] * n\nxs.sort()\n'],
    ['a main guard that binds what the function reads', 'if __name__ == "__main__":\n    scale = area(2)\n'],
    ['a loop with an assertion', 'for r, a in [(0, 1)]:\n    assert area(r) == a\n'],
  ])('loses %s', (_, usage, kept = '') => {
    const whole = 'def area(r):\n    return other(r)\n'
    const other = 'def other(r):\n    return r * scale\n'
    expect(py(`${whole}\n${usage}${other}`)).toBe(`${head}\n\n\n${whole}\n${kept}${other}`)
  })

  it('keeps assertions within its function', () => {
    const whole = 'def area(r):\n    assert r >= 0\n    return r\n'
    expect(py(whole)).toBe(`${head}\n\n\n${whole}`)
  })

  it('of a function with self as its first parameter is left as it is', () => {
    const whole = 'def area(self, r):\n    return r\n'
    expect(py(whole)).toBe(`${head}\n\n\n${whole}`)
  })

  it('of the whole function indented, or of another name, stands at depth 0', () => {
    expect(py('    def area(r):\n        return r')).toBe(`${head}\n\n\ndef area(r):\n    return r\n`)
    expect(py('def surface(r):\n    return r')).toBe(`${head}\n\n\ndef surface(r):\n    return r\n`)
  })

  it('of a body may have a variable of the function’s name', () => {
    expect(py('area = round(r)\nreturn area')).toBe(`${head}\n    area = round(r)\n    return area\n`)
  })

  it('gives a stub without a body one', () => {
    expect(py('def area(r):\n    return r', 'def area(r):\n')).toMatchSnapshot()
  })
})

describe('a JavaScript reply', () => {
  const stub = `import { pi } from '../../suites/pi.mjs'

/** Area. */
export function area(r) {
  throw new Error('not written')
}
`
  it('of the whole function replaces the stub and keeps the code before it', () => {
    expect(js('export function area(r) {\n  return pi * r * r\n}', stub)).toMatchSnapshot()
  })

  it('gets a missing export', () => {
    expect(js('const area = (r) => pi * r * r', stub)).toContain('\n\nexport { area }\n')
    expect(js('function area(r) { return r }', 'function area() {}\nmodule.exports = { area }\n')).toContain(
      '\n\nmodule.exports = { area }\n',
    )
    expect(js('function area(r) { return r }', 'export default function area() {}\n')).toContain(
      '\n\nexport default area\n',
    )
    expect(js('function area(r) { return r }\nexport { area }', stub).match(/export/g)).toHaveLength(1)
  })

  it('that repeats the imports replaces the whole file', () => {
    const whole = `import { pi } from '../../suites/pi.mjs'\nexport const area = (r) => pi * r * r`
    expect(js(whole, stub)).toBe(`${whole}\n`)
  })

  it('of a body fills the stub', () => {
    expect(js('  return pi * r * r', stub)).toBe(
      stub.replace("  throw new Error('not written')\n", '  return pi * r * r\n'),
    )
    const typed = `export function area({ r }: { r: number }): { a: number } {\n  throw new Error("}")\n}\n`
    expect(complete('typescript', 'area.ts', typed, 'area', '  return { a: r }')).toMatchSnapshot()
  })

  it('of a body closes the brace that a prompt leaves open', () => {
    const open = '// Area.\nconst area = (r) => {\n'
    expect(js('  return r\n}', open)).toBe('// Area.\nconst area = (r) => {\n  return r\n}\n')
    expect(js('  return r', open)).toBe('// Area.\nconst area = (r) => {\n  return r\n}\n')
  })

  it.each([
    [
      'module.exports = { area }',
      'function area(r) { return r }\nmodule.exports = { area }',
      'export { area }',
    ],
    [
      'exports.area = …',
      'exports.area = (r) => r',
      'export const area = module.exports.area ?? module.exports',
    ],
  ])('in CommonJS becomes a module where the stub is one: %s', (_, code, end) => {
    const whole = js(code, stub)
    expect(whole).toContain('const module = { exports: {} }')
    expect(whole.trimEnd().endsWith(end)).toBe(true)
  })

  it('that calls require finds it in a module', () => {
    const whole = js("const assert = require('assert')\nfunction area(r) { return assert.ok(r) }", stub)
    expect(whole).toContain('const require = createRequire(import.meta.url)')
    expect(whole.trimEnd().endsWith('export { area }')).toBe(true)
  })

  it('of a module becomes CommonJS where the stub is that', () => {
    expect(
      js('export function area(r) { return r }', 'function area() {}\nmodule.exports = { area }\n'),
    ).toBe('function area(r) { return r }\n\nmodule.exports = { area }\n')
  })

  it('of a class around the function is called through an instance, or through the class', () => {
    expect(js('class Shapes { area(r) { return r } }', stub)).toContain(
      'const area = (...values) => new Shapes().area(...values)\n\nexport { area }',
    )
    expect(js('class Shapes { static area(r) { return r } }', stub)).toContain('=> Shapes.area(...values)')
  })

  it('loses the calls and prints at its end', () => {
    expect(js('export function area(r) { return r }\nconsole.log(area(1))', stub)).not.toContain('console')
  })
})
