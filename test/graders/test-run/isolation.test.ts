import { describe, expect, it } from 'vitest'
import { sourceHider } from '../../../src/graders/test-run/harness-run.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { ProgramEnd, SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

const header = `import test from 'node:test'
import assert from 'node:assert/strict'
import * as solution from '../src/sum.mjs'
`

/** Grades a solution by the bodies of hidden tests, by name. */
async function judge(source: string, bodies: Record<string, string>, files = {}) {
  const text = Object.entries(bodies).map(
    ([name, body]) => `test(${JSON.stringify(name)}, async () => {${body}})`,
  )
  const task = codeTask({
    tests: { 'all.test.mjs': `${header}${text.join('\n')}` },
    files: { 'src/sum.mjs': '', ...files },
    spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: text.length, timeoutMs: 20_000 }] },
  })
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': source } })
  return scores[0]
}

/** Test bodies that must all pass. */
async function expectAll(source: string, bodies: Record<string, string>) {
  const score = await judge(source, bodies)
  expect(score?.reason).toBe(`${Object.keys(bodies).length} of ${Object.keys(bodies).length} tests passed`)
}

describe('hidden tests in their own process', { timeout: 60_000 }, () => {
  it('get plain values unchanged', async () => {
    const values = `({
      primitives: [undefined, null, true, 0, -0, NaN, Infinity, -Infinity, 12345678901234567890n, 'a\\u2028\\ud800\\n"'],
      holes: [1, , 3], nested: { 'a b': [{ c: [] }] }, __proto__: null, ['__proto__']: 1,
      map: new Map([[NaN, { a: 1 }], ['k', new Map()]]), set: new Set([1, [2]]), date: new Date(5),
      regexp: /a(?<n>b)/giu, bytes: new Uint8Array([1, 255]), floats: new Float64Array([0.1]), buffer: Buffer.from('hé'),
      symbol: { [Symbol.for('s')]: Symbol.iterator }, matched: /(?<n>b)/.exec('abc'),
    })`
    await expectAll(`export const values = ${values}\nexport const echo = (value) => value`, {
      given: `assert.deepEqual(solution.values, ${values})`,
      'handed back and forth': `const mine = ${values}; assert.equal(solution.echo(mine), mine)
        assert.deepEqual(solution.echo([{ ...mine }]), [{ ...mine }])`,
      cycles: `const a = { name: 'a' }; a.self = [a]; assert.equal(solution.echo([a])[0].self[0], a)`,
      'very deep ones': `let deep = []; for (let i = 0; i < 20000; i++) deep = [deep]
        let depth = 0; for (let at = solution.echo({ deep }).deep; at; at = at[0]) depth++; assert.equal(depth, 20001)`,
    })
  })

  it('keep object identity, and see changes of either side', async () => {
    const source = `const kept = [1]; let given
      export const get = () => kept
      export const put = (value) => { given = value }
      export const look = () => JSON.stringify([kept, given])
      export const spoil = (list, map) => { list.sort(); list.length = 2; map.set('b', 2).delete('a'); given.gone = true; delete given.a }
      export const touch = (value) => { value.a = 2 }
      export const counter = { count: 0, up() { this.count++; return this } }`
    await expectAll(source, {
      identity:
        'assert.equal(solution.get(), solution.get()); assert.equal(solution.counter.up(), solution.counter)',
      'ours, seen by the solution': `solution.get().push(2); const mine = { a: 1 }; solution.put(mine); mine.a = [3]
        assert.equal(solution.look(), '[[1,2],{"a":[3]}]')`,
      'the solution’s, seen by us': `const list = [3, 1, 2], map = new Map([['a', 1]]), mine = { a: 1 }
        solution.put(mine); solution.spoil(list, map)
        assert.deepEqual([list, map, mine], [[1, 2], new Map([['b', 2]]), { gone: true }])
        const before = solution.counter.count; solution.counter.up(); assert.equal(solution.counter.count, before + 1)`,
      'frozen values stay frozen': `assert.throws(() => solution.touch(Object.freeze({ a: 1 })), TypeError)`,
      'of many': `const all = Array.from({ length: 1000 }, () => ({ a: 1 })); for (const one of all) solution.touch(one)
        assert.ok(all.every(({ a }) => a === 2))`,
    })
  })

  it('use functions, classes, accessors and iterators', async () => {
    const source = `export class Stack {
        static of(...items) { return items.reduce((stack, item) => stack.push(item), new Stack()) }
        #items = []
        get size() { return this.#items.length }
        push(item) { this.#items.push(item); return this }
        *[Symbol.iterator]() { yield* this.#items }
      }
      export class Named extends Stack { constructor(name) { super(); this.name = name } }
      export class Registry extends Map { twice(key) { return this.get(key) * 2 } }
      export async function* stream(count) { for (let i = 0; i < count; i++) yield i }
      export default function total(...numbers) { return numbers.reduce((a, b) => a + b, 0) }
      export const twice = (work) => [work(1), work(2)]
      export const isList = (value) => Array.isArray(value) && value instanceof Array
      export const later = { then: 'a word' }`
    await expectAll(source, {
      classes: `const stack = solution.Stack.of(1, 2); assert.ok(stack instanceof solution.Stack)
        assert.equal(stack.size, 2); assert.equal(stack.push(3).size, 3); assert.deepEqual([...stack], [1, 2, 3])
        assert.equal(stack.constructor, solution.Stack); assert.throws(() => solution.Stack(), TypeError)`,
      subclasses: `const named = new solution.Named('n').push(1); assert.ok(named instanceof solution.Stack)
        assert.deepEqual(Object.entries(named), [['name', 'n']]); assert.equal(Object.getPrototypeOf(solution.Named), solution.Stack)
        class Own extends solution.Stack { extra() { return this.size + 1 } }
        assert.equal(new Own().push(1).extra(), 2)
        const map = new solution.Registry([['a', 4]]); assert.ok(map instanceof Map); assert.equal(map.twice('a'), 8)`,
      functions: `assert.equal(solution.default(1, 2), 3); assert.equal(solution.default.name, 'total')
        assert.equal(solution.twice.length, 1); assert.deepEqual(solution.twice((n) => solution.twice((m) => n * m)), [[1, 2], [2, 4]])
        assert.ok(solution.isList([])); assert.deepEqual([1, 2].map(solution.twice.bind(null, () => 0)), [[0, 0], [0, 0]])`,
      'asynchronous iterators': `const seen = []; for await (const n of solution.stream(3)) seen.push(n); assert.deepEqual(seen, [0, 1, 2])`,
      'a property named then': `assert.equal(solution.later.then, 'a word')`,
    })
  })

  it('catch errors of the solution, and throw errors into it', async () => {
    const source = `export class OddError extends RangeError {
        constructor(at, options) { super('odd at ' + at, options); this.name = 'OddError'; this.at = at } }
      export const fail = (at) => { throw new OddError(at, { cause: new Error('why') }) }
      export const sync = () => null.x
      export const text = () => { throw 'a text' }
      export const guard = (work) => { try { return work() } catch (error) { return error } }
      export const through = (work) => work()`
    await expectAll(source, {
      'by class, object, expression and function': `assert.throws(() => solution.fail(3), solution.OddError)
        assert.throws(() => solution.fail(3), RangeError); assert.throws(() => solution.fail(3), /^OddError: odd at 3$/)
        assert.throws(() => solution.fail(3), { name: 'OddError', message: 'odd at 3', at: 3 })
        assert.throws(() => solution.fail(3), (error) => error.cause.message === 'why' && error.stack.includes('odd at 3'))
        assert.throws(solution.sync, TypeError); assert.throws(solution.text, (thrown) => thrown === 'a text')`,
      'the very same that we threw': `const mine = new Error('mine')
        assert.throws(() => solution.through(() => { throw mine }), (error) => error === mine)
        assert.equal(solution.guard(() => { throw mine }), mine)
        assert.throws(() => solution.through(() => solution.fail(1)), solution.OddError)`,
    })
  })

  it('wait for promises and timers, on either side', async () => {
    const source = `import { setTimeout as sleep } from 'node:timers/promises'
      export const later = async (value, ms = 0) => { await sleep(ms); return value }
      export const reject = async () => { throw new RangeError('no') }
      export const times = (work, count) => new Promise((resolve) => {
        let done = 0
        const timer = setInterval(() => { work(++done); if (done === count) { clearInterval(timer); resolve('all') } }, 1)
      })
      export const ask = async (fetchOne) => [await fetchOne(1), await fetchOne(2)]
      export const delayed = (work, timers) => new Promise((resolve) => timers.set(() => resolve(work()), 5))`
    await expectAll(source, {
      values: `assert.equal(await solution.later(1), 1); assert.ok(solution.later(1) instanceof Promise)
        assert.deepEqual(await Promise.all([solution.later('a', 9), solution.later('b', 1)]), ['a', 'b'])`,
      rejections:
        'await assert.rejects(solution.reject(), RangeError); await assert.rejects(solution.reject, { message: "no" })',
      'callbacks from timers': `const seen = []; assert.equal(await solution.times((n) => seen.push(n), 3), 'all'); assert.deepEqual(seen, [1, 2, 3])`,
      'beside our own timers': `const seen = []; const all = solution.times((n) => seen.push(n), 5)
        await new Promise((resolve) => setTimeout(resolve, 100)); assert.equal(seen.length, 5); await all`,
      'promises of ours': `assert.deepEqual(await solution.ask(async (n) => { await null; return n * 2 }), [2, 4])
        await assert.rejects(solution.ask(async () => { throw new TypeError('mine') }), { message: 'mine' })`,
      'a clock of ours': `let run; const done = solution.delayed(() => 7, { set: (work) => { run = work } }); run(); assert.equal(await done, 7)
        assert.equal(await solution.delayed(() => 8, { set: setTimeout }), 8)`,
    })
  })

  it('load modules of both kinds and their own helpers, and read data files', async () => {
    const tests = {
      'all.test.mjs': `${header}
        import { helped } from './helper.mjs'
        import old, { named } from '../src/old.cjs'
        import { readFileSync } from 'node:fs'
        test('helper', () => assert.equal(helped(), 3))
        test('old', () => assert.deepEqual([old.named(), named()], [4, 4]))
        test('data', () => assert.equal(readFileSync('src/note.md', 'utf8'), 'a note'))
        test('no code', () => assert.throws(() => readFileSync('src/secret.mjs')))`,
      'helper.mjs': `import { add } from '../src/sum.mjs'\nexport const helped = () => add(1, 2)`,
    }
    const task = codeTask({
      tests,
      spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 4 }] },
    })
    const files = {
      'src/sum.mjs': 'export const add = (a, b) => a + b',
      'src/old.cjs': 'exports.named = () => 4',
      'src/note.md': 'a note',
      'src/secret.mjs': '',
    }
    expect((await gradeLeft(task, { files })).scores[0]?.reason).toBe('4 of 4 tests passed')
  })
})

describe('a failed test in its own process', { timeout: 60_000 }, () => {
  it('reports where the solution threw, without folders', async () => {
    const score = await judge('export const a = () => { throw new TypeError(import.meta.url) }', {
      a: 'solution.a()',
    })
    expect(score?.reason).toBe('0 of 1 tests passed. a: TypeError: src/sum.mjs (src/sum.mjs:1:32)')
  })

  it('reports that the solution ended, with its exit code', async () => {
    const score = await judge('export const a = () => process.exit(0)', { a: 'solution.a()' })
    expect(score?.reason).toMatchSnapshot()
  })

  it('reports the time limit, although the harness saw the solution go before it was ended itself', async () => {
    const task = codeTask({
      tests: { 'all.test.mjs': `${header}test('adds', () => { solution.end() })` },
      files: { 'src/sum.mjs': '' },
      solution: { files: { 'src/sum.mjs': 'export const end = () => {}' } },
      spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] },
    })
    const reason = 'still running after the limit of 8000 ms'
    const late: SandboxRun = async (command) => {
      const result = await spawnUnsandboxed(command)
      if (result.peer?.exitCode !== 3) return result
      const peer = { ...result.peer, exitCode: null, killedBy: 'SIGKILL', stopped: true } as ProgramEnd
      return { ...result, timedOut: true, ended: 'wall', reason, peer }
    }
    const left = { files: { 'src/sum.mjs': 'export const end = () => process.exit(3)' } }
    const { scores } = await gradeLeft(task, left, undefined, late)
    expect(scores[0]?.reason).toContain(`${reason}, in the test "adds"`)
    expect(scores[0]?.reason).not.toContain('ended')
  })

  it('reports a missing module or a missing export', async () => {
    const missing = codeTask({
      tests: { 'a.test.mjs': `import { a } from '../src/sum.mjs'` },
      solution: {},
    })
    expect((await gradeLeft(missing, { files: { 'src/sum.mjs': '' } })).scores[0]?.reason).toMatch(
      /'\.\.\/src\/sum\.mjs' does not provide an export named 'a'/,
    )
  })
})

const python = `import unittest
from x import twice


def test_plain():
    given = 3
    expected = [
        'one value that is long',
        6,
    ]
    assert [twice(given), 1] == expected, "of 3"


class T(unittest.TestCase):
    def test_method(self):
        self.assertEqual(twice(4), 8, "of 4")
`
const node = `import assert from 'node:assert/strict'
test('a truth', () => assert.ok(twice(0)))
test('longer', () => {
  assert.ok(
    twice(1) === 2 &&
      twice(0) === 0,
  )
  assert.deepEqual(twice(3), [
    'one value that is long',
    6,
  ])
})
`
const hide = sourceHider({ 'test_x.py': python, 'x.test.mjs': node })

/** What a runner prints, and what is left of it. */
const printed: Record<string, [text: string, left: string]> = tableOf(import.meta.url, 'printed')

describe('source lines of hidden tests', () => {
  it.each(Object.entries(printed))('are not shown by what is left of %s', (_, [text, left]) => {
    expect(hide(text)).toBe(left)
  })

  it.each([
    "+   'one value that is long',\n-   6,\n    6,",
    'HalfTest.test_even: AssertionError: 0 != 2 (half_test.py:8)',
    'a: Error: here (src/x.mjs:1:2)\n    at twice (src/x.mjs:1:2)',
    "# Subtest: longer\nnot ok 1 - longer\n  expected: 4\n  'one value that is long',",
  ])('are not found in values, names and positions: %j', (text) => {
    expect(hide(text)).toBe(text)
  })

  it('are found in time that grows with the text', () => {
    const long = `${'assert '.repeat(20_000)}\n${' ('.repeat(100_000)}\n${'~^'.repeat(100_000)}x\n`.repeat(3)
    const started = performance.now()
    hide(long)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
