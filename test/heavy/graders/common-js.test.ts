import { describe, expect, it } from 'vitest'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'

const names = [
  ...[
    'delete',
    'new',
    'in',
    'import',
    'export',
    'await',
    'class',
    'function',
    'this',
    'null',
    'enum',
    'yield',
    'let',
    'static',
  ],
  ...[
    'exports',
    'module',
    'require',
    'held',
    'arguments',
    'eval',
    'constructor',
    'toString',
    'then',
    '__esModule',
  ],
  ...['a-b', '', 'é', '😀', ' ', '1', '"', "'", '\\', '\n', '`', '$', '\u2028'],
]
const value = (name: string) => JSON.stringify(`value of ${name}`)
const quoted = (name: string) => JSON.stringify(name)
const assigned = names.map((name) => `exports[${quoted(name)}] = ${value(name)}`).join('\n')
const exported = names.map(
  (name, at) => `const e${at} = ${value(name)}; export { e${at} as ${quoted(name)} }`,
)
const imported = (path: string) =>
  `import { ${names.map((name, at) => `${quoted(name)} as i${at}`).join(', ')} } from '../${path}'`
const equal = names.map((name, at) => `assert.equal(i${at}, ${value(name)})`).join('\n')
const path = 'src/a.js'

describe('a right solution in a CommonJS module passes', { timeout: 60_000 }, () => {
  it('with any exported names', async () => {
    const bodies = {
      'by name': equal,
      'as a whole': `assert.deepEqual(Object.keys(x.default).sort(), ${JSON.stringify([...names].sort())})`,
      'a prototype by name': `assert.equal(Object.getOwnPropertyDescriptor(x.default, '__proto__'), undefined)`,
    }
    expect(await judgeModule(assigned, bodies, { path, imports: imported(path) })).toBe(allOf(bodies))
    const proto = `Object.defineProperty(exports, '__proto__', { value: () => 1, enumerable: true }); exports.delete = () => 2`
    const both = {
      both: `assert.equal(Object.getOwnPropertyDescriptor(x.default, '__proto__').value(), 1); assert.equal(x.default.delete(), 2)`,
    }
    expect(await judgeModule(proto, both, { path })).toBe(allOf(both))
  })

  it.each([
    ['a function', 'module.exports = (n) => n + 1', 'assert.equal(x.default(1), 2)'],
    [
      'a function with further properties',
      'module.exports = (n) => n + 1; module.exports.delete = () => 3',
      'assert.equal(x.default.delete(), 3)',
    ],
    [
      'a class',
      'module.exports = class A { static in() { return 1 } m() { return 2 } }',
      'assert.equal(new x.default().m() + x.default.in(), 3)',
    ],
    ['a text', 'module.exports = "a"', 'assert.equal(x.default, "a")'],
    ['nothing', 'module.exports = undefined', 'assert.equal(x.default, undefined)'],
    [
      'a frozen object',
      'module.exports = Object.freeze({ new: () => 1 })',
      'assert.equal(x.default.new(), 1); assert.ok(Object.isFrozen(x.default))',
    ],
    [
      'getters',
      'Object.defineProperty(exports, "new", { enumerable: true, get: () => 4 })',
      'assert.equal(x.default.new, 4)',
    ],
    [
      'compiled code',
      'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 3; exports.in = 4',
      'assert.equal(x.default.default, 3); assert.equal(x.in, 4)',
    ],
    [
      'by the syntax of an ES module',
      'export default () => 1; export const named = 2',
      'assert.equal(x.default(), 1); assert.equal(x.named, 2)',
    ],
    ['with a byte order mark', '\uFEFF\r\nexports.in = 1\r\n', 'assert.equal(x.in, 1)'],
  ])('that exports %s', async (name, source, body) => {
    expect(await judgeModule(source, { [name]: body }, { path })).toBe('1 of 1 tests passed')
  })
})

describe('a right solution in an ES module passes', { timeout: 60_000 }, () => {
  it('with any exported names', async () => {
    const bodies = { 'by name': equal, 'as a whole': `assert.equal(Object.keys(x).length, ${names.length})` }
    const module = exported.join('\n')
    for (const path of ['src/sum.mjs', 'src/a.js'])
      expect(await judgeModule(module, bodies, { path, imports: imported(path) })).toBe(allOf(bodies))
  })

  it.each(['\uFEFF', '\uFEFF#!/usr/bin/env node\r\n', '\r\n', '#!/usr/bin/env node\r\n'])(
    'that begins with %j',
    async (start) => {
      for (const path of ['src/sum.mjs', 'src/sum.ts'])
        expect(
          await judgeModule(`${start}export const a = 1\r\n`, { a: 'assert.equal(x.a, 1)' }, { path }),
        ).toBe('1 of 1 tests passed')
    },
  )
})

describe('a solution that cannot be loaded', { timeout: 60_000 }, () => {
  it.each([
    ['throws', 'exports.delete = 1; null.x', 'TypeError: Cannot read properties of null'],
    ['does not parse', 'exports.delete = ;', 'SyntaxError: Unexpected token'],
  ])('is reported instead of its tests if it %s', async (_, source, reason) => {
    const score = await judgeModule(source, { a: '' }, { path })
    expect(score).toContain(`src/a.js: could not be loaded: ${reason}`)
    expect(score).not.toContain('all.test.mjs')
  })
})
