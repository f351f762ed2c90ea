import { describe, expect, it } from 'vitest'
import { completeFunction } from '../../../src/replies/code/complete-function.ts'
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

  it('may have Windows line ends', () => {
    expect(py('    x = 1\r\n    return x\r\n')).toBe(`${head}\n    x = 1\n    return x\n`)
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
    expect(js('export function area(r) {\n  return pi * r * r\n}', stub)).toBe(
      `import { pi } from '../../suites/pi.mjs'\n\nexport function area(r) {\n  return pi * r * r\n}\n`,
    )
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
    expect(complete('typescript', 'area.ts', typed, 'area', '  return { a: r }')).toBe(
      `export function area({ r }: { r: number }): { a: number } {\n  return { a: r }\n}\n`,
    )
  })

  it('of a body closes the brace that a prompt leaves open', () => {
    const open = '// Area.\nconst area = (r) => {\n'
    expect(js('  return r\n}', open)).toBe('// Area.\nconst area = (r) => {\n  return r\n}\n')
    expect(js('  return r', open)).toBe('// Area.\nconst area = (r) => {\n  return r\n}\n')
  })
})
