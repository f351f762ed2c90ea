import { describe, expect, it } from 'vitest'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'

const source = `
import vm from 'node:vm'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
globalThis.where = 'the solution'
export const things = {
  Function, AsyncFunction: (async () => {}).constructor, GeneratorFunction: (function* () {}).constructor,
  AsyncGeneratorFunction: (async function* () {}).constructor, eval: globalThis.eval, process, globalThis, WebAssembly, Reflect, Proxy,
  vm, runInThisContext: vm.runInThisContext, Script: vm.Script, require, Module: require('node:module'), fs: require('node:fs'),
  call: Function.prototype.call, apply: Function.prototype.apply, bind: Function.prototype.bind, construct: Reflect.construct,
  bound: Function.bind(null), setTimeout, setImmediate, queueMicrotask, structuredClone, Math, JSON, console,
  ...Object.fromEntries([Object, Array, Function, Map, Set, Error, Promise, String, RegExp, Date, Uint8Array].map(({ name, prototype }) => [name + '.prototype', prototype])),
  iterator: Object.getPrototypeOf([][Symbol.iterator]()), TypedArray: Object.getPrototypeOf(Uint8Array),
}
export class Extended extends Function {}
export const get = (name) => things[name]
export const text = () => 'return where'
export const expression = () => 'where'
export const kinds = { Error, RangeError, Map, Set, Promise, Date, RegExp, String, Number, Array, Object, Buffer, iterator: Symbol.iterator }
export const echo = (value) => value
export const count = (options) => { options.count = 1 }
export const grandparent = () => Object.getPrototypeOf(Object.getPrototypeOf(new Map()))
`
const imports = `
globalThis.where = 'the tests'
const own = [Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor, eval, process,
  globalThis, WebAssembly, Reflect, Proxy, Function.prototype.call, Function.prototype.apply, Function.prototype.bind, Reflect.construct,
  setTimeout, setImmediate, queueMicrotask, structuredClone, Math, JSON, console, Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(Uint8Array), ...['fs', 'vm', 'module'].map((name) => process.getBuiltinModule(name)),
  ...[Object, Array, Function, Map, Set, Error, Promise, String, RegExp, Date, Uint8Array].map(({ prototype }) => prototype)]
`

describe('a builtin that a solution sends', { timeout: 60_000 }, () => {
  it('arrives as a stand-in if it could create code or change behaviour', async () => {
    const bodies = {
      'none of them is the tests’ own': `for (const name of Object.keys(x.things)) {
        assert.ok(!own.includes(x.get(name)), name); assert.ok(!own.includes(x.things[name]), name) }
        assert.ok(!own.includes(x.grandparent()))`,
      'what they make runs in the solution': `
        for (const name of ['Function', 'bound']) assert.equal(x.get(name)(x.text())(), 'the solution', name)
        assert.equal(await x.get('AsyncFunction')(x.text())(), 'the solution')
        assert.equal(x.get('GeneratorFunction')(x.text())().next().value, 'the solution')
        for (const name of ['eval', 'runInThisContext']) assert.equal(x.get(name)(x.expression()), 'the solution', name)
        assert.equal(new (x.get('Script'))(x.expression()).runInThisContext(), 'the solution')
        assert.equal(new x.Extended(x.text())(), 'the solution')
        assert.equal(x.get('globalThis').where, 'the solution')
        assert.match(x.get('process').argv.join(), /solution\\.mjs/)`,
      'nothing of the tests’ process changes with them': `
        for (const name of Object.keys(x.things).filter((name) => name.endsWith('.prototype'))) x.get(name).added = 1
        assert.deepEqual([{}, [], new Map(), () => {}, new Error(), '', new Date()].map((one) => one.added), Array(7).fill(undefined))`,
    }
    expect(await judgeModule(source, bodies, { imports })).toBe(allOf(bodies))
  })

  it('arrives as itself if tests only compare it', async () => {
    const bodies = {
      kinds: `assert.deepStrictEqual({ ...x.kinds }, { Error, RangeError, Map, Set, Promise, Date, RegExp, String, Number, Array, Object, Buffer, iterator: Symbol.iterator })`,
      'what the tests had handed over, unless code can be made by it': `
        const options = { setTimeout, Math, Function, eval: globalThis.eval, process }
        x.count(options); assert.equal(options.count, 1)
        assert.ok(options.setTimeout === setTimeout && options.Math === Math && x.echo(JSON) === JSON)
        for (const name of ['Function', 'eval', 'process']) assert.ok(!own.includes(options[name]), name)
        for (const one of [globalThis, process, eval, Function, Object.prototype]) assert.ok(!own.includes(x.echo(one)))`,
    }
    expect(await judgeModule(source, bodies, { imports })).toBe(allOf(bodies))
  })
})
