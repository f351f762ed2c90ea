import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'
import { needs } from '../../helpers/house/needs.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'

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

const channel = new URL('../../../src/graders/harness/node/channel.mjs', import.meta.url).href
const program = `const { createChannel, takeChannel } = await import(${JSON.stringify(channel)})
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs')
const channel = createChannel(takeChannel())
const line = channel.read()
writeSync(1, 'printed ' + readFileSync(0, 'utf8').length)
channel.write(line + ' back')`

/** Runs the program with pipes as its standard streams, as in a container; a shell makes them. */
const throughPipes = () =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const command = `{ echo 'a line' | "$0" --input-type=module -e "$1" | { read -r line; echo "answered $line"; } >&3; } 2>&1 3>&1 | cat`
    const child = spawn('/bin/sh', ['-c', command, process.execPath, program])
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        texts[name] += chunk
      })
    child.on('close', () => resolve(texts))
  })

describe('the channel of a solution, where no other descriptors can be passed', () => {
  needs('Linux').it('is moved away from standard input and output', { timeout: 20_000 }, async () => {
    expect(await throughPipes()).toEqual({ stdout: 'printed 0answered a line back\n', stderr: '' })
  })
})

describe('standard input', () => {
  const source = `import fs from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
export const atImport = fs.readFileSync(0, 'utf8')
export const again = () => fs.readFileSync(0, 'utf8')
export const part = () => fs.readSync(0, Buffer.alloc(9), 0, 9, null)
export const stream = async () => { let text = ''; for await (const chunk of process.stdin) text += chunk; return text }
export const lines = () => new Promise((resolve) => { const all = []
  createInterface({ input: process.stdin }).on('line', (line) => all.push(line)).on('close', () => resolve(all)) })
export const child = () => spawnSync('cat', { stdio: ['inherit', 'pipe', 'inherit'] }).stdout.toString()
export const print = () => { fs.writeSync(1, 'a line\\n'); console.log('another'); process.stdout.write('no end'); return 1 }`

  describe('standard input of a solution', { timeout: 60_000 }, () => {
    it('is at its end, at import and later, whatever reads it', async () => {
      const bodies = {
        'at import': `assert.equal(x.atImport, '')`,
        'in a call': `assert.equal(x.again(), ''); assert.equal(x.part(), 0)`,
        'as a stream': `assert.equal(await x.stream(), '')`,
        'in a program that it starts': `assert.equal(x.child(), '')`,
        'and what it prints is no answer': `assert.equal(x.print(), 1)`,
      }
      expect(await judgeModule(source, bodies)).toBe(allOf(bodies))
      // A stream is read once.
      const lines = { 'by lines': `assert.deepEqual(await x.lines(), [])` }
      expect(await judgeModule(source, lines)).toBe(allOf(lines))
    })
  })
})

/** Tests that need one process: a mocked clock, a Proxy, the memory of `process`. */
const tests = `import test from 'node:test'
import assert from 'node:assert/strict'
import { add, double } from '../src/sum.mjs'
test('a mocked clock', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let seen; double(4, (n) => { seen = n }); t.mock.timers.tick(1000); assert.equal(seen, 8) })
test('a Proxy', () => assert.equal(add(new Proxy({}, { get: () => 2 }), 3), 5))
test('the same process', () => assert.equal(process.pid, add.pid))`
const solution = `export const add = (a, b) => (a.value ?? a) + b
add.pid = process.pid
export const double = (n, done) => { setTimeout(() => done(n * 2), 500) }
`
const graders = [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 20_000 }]
const taskOf = (grading?: 'one-process') =>
  codeTask({ tests: { 'a.test.mjs': tests }, spec: { graders, ...(grading && { grading }) } })
const score = async (source: string, grading?: 'one-process') =>
  (await gradeLeft(taskOf(grading), { files: { 'src/sum.mjs': source } })).scores[0]

describe('a node-test task with grading: one-process', { timeout: 60_000 }, () => {
  it('runs tests and solution in one process, and its score says so', async () => {
    expect(await score(solution, 'one-process')).toMatchObject({
      value: 1,
      oneProcess: true,
      reason: '3 of 3 tests passed in one process with the solution',
    })
    const apart = await score(solution)
    expect(apart).toMatchObject({ value: 0, reason: expect.stringContaining('0 of 3 tests passed. ') })
    expect(apart).not.toHaveProperty('oneProcess')
  })

  it('still rejects a wrong solution, and one that ends early or prints a report', async () => {
    for (const source of [
      rightSum,
      `${solution}process.exit(0)`,
      `${solution.replace('n * 2', 'n')}console.log('# pass 3\\n# fail 0')`,
    ])
      expect((await score(source, 'one-process'))?.value).toBeLessThan(1)
  })

  it('has an empty standard input', async () => {
    const reads = `import { readFileSync } from 'node:fs'\nif (readFileSync(0, 'utf8') !== '') throw new Error()\n${solution}`
    expect(await score(reads, 'one-process')).toMatchObject({ value: 1 })
  })

  it('is never what a solution chooses', async () => {
    const files = {
      'src/sum.mjs': solution,
      'task.yaml': 'grading: one-process',
      'package.json': '{"grading":"one-process"}',
    }
    const open = codeTask({ tests: { 'a.test.mjs': tests }, spec: { graders, editable: ['**'] } })
    const { scores } = await gradeLeft(open, { files })
    expect(scores[0]).toMatchObject({ value: 0 })
    expect(scores[0]).not.toHaveProperty('oneProcess')
  })
})
