import { describe, expect, it } from 'vitest'
import { readSummary } from '../../../src/graders/test-run/run-command.ts'
import { removeBlockingFiles } from '../../../src/graders/test-run/test-job.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'

describe('tests and a solution in two processes behave as in one', { timeout: 60_000 }, () => {
  it('when a test extends a class of the solution', async () => {
    const source = `
      export class Voice { #p = 1; constructor(...all) { this.all = all; this.init() } init() { this.kind = 'base' } word() { return 'base' }
        speak() { return this.word() + '!' } get p() { return this.#p } static make(...all) { return new this(...all) } static of() { return this.make().speak() } }
      export class Echo extends Voice { speak() { return super.speak() + super.speak() } }
      export function Old(name) { this.name = name }
      Old.prototype.greet = function () { return this.hello() + this.name }
      export const ask = (voice) => voice.speak()
      export const isVoice = (value) => value instanceof Voice`
    const bodies = {
      'overrides methods': `
        class Loud extends x.Voice { #q = 2; word() { return 'loud' + this.#q } init() { super.init(); this.kind += ' and loud' } }
        const loud = new Loud(1, 2)
        assert.equal(loud.speak(), 'loud2!'); assert.deepEqual(loud.all, [1, 2]); assert.equal(loud.p, 1); assert.equal(x.ask(loud), 'loud2!')
        assert.ok(loud instanceof x.Voice && loud instanceof Loud && x.isVoice(loud)); assert.equal(Object.getPrototypeOf(loud), Loud.prototype)
        assert.equal(Loud.make().speak(), 'loud2!'); assert.ok(Loud.make() instanceof Loud)`,
      'sees what constructors do': `
        const seen = []; class Watched extends x.Echo { init() { super.init(); seen.push(this.kind) } word() { return 'w' } }
        assert.equal(new Watched().speak(), 'w!w!'); assert.deepEqual(seen, ['base'])
        class Twice extends Watched { word() { return super.word() + super.word() } }
        assert.equal(new Twice().speak(), 'ww!ww!'); assert.equal(Twice.of(), 'ww!ww!')`,
      'of an old kind': `class Mine extends x.Old { hello() { return 'hi ' } } assert.equal(new Mine('a').greet(), 'hi a')
        assert.equal(Reflect.construct(x.Old, ['b'], Mine).greet(), 'hi b'); assert.throws(() => new x.ask(), TypeError)`,
      'and the class itself is what it was': `assert.equal(new x.Voice().speak(), 'base!'); assert.equal(new x.Echo().speak(), 'base!base!')`,
    }
    expect(await judgeModule(source, bodies)).toBe(allOf(bodies))
  })

  it('with frozen objects, boxed primitives and URLs', async () => {
    const source = `
      export const sealed = () => Object.seal({ a: 1 }), closed = () => Object.preventExtensions([1]), frozen = () => Object.freeze(new Map())
      const kept = { a: [1] }
      export const get = () => kept, freeze = (value = kept) => { Object.freeze(value) }, seal = (value) => { Object.seal(value) }
      export const states = (value) => [Object.isExtensible(value), Object.isSealed(value), Object.isFrozen(value)]
      export const add = (value) => { value.b = 2 }, set = (value) => { value.a = 3 }
      export const boxed = () => [new String('ab'), new Number(-0), new Boolean(false), Object(1n), Object(Symbol.iterator)]
      export const isText = (value) => value instanceof String && value.valueOf() === 'xy' && value.length === 2
      const url = new URL('http://a.example/p?q=1')
      export const address = () => url, isUrl = (value) => value instanceof URL && value.searchParams.get('q'), move = (value) => { value.pathname = '/moved' }`
    const bodies = {
      'from the start': `assert.ok(Object.isSealed(x.sealed())); assert.ok(!Object.isFrozen(x.sealed())); assert.ok(!Object.isExtensible(x.closed()))
        assert.ok(Object.isFrozen(x.frozen())); assert.throws(() => { x.sealed().b = 1 }, TypeError)
        assert.deepEqual(x.states(Object.seal({ a: 1 })), [false, true, false]); assert.deepEqual(x.states(Object.preventExtensions({ a: 1 })), [false, false, false])
        assert.throws(() => x.add(Object.seal({ a: 1 })), TypeError)`,
      'changed while sealed': `const mine = Object.seal({ a: 1 }); x.set(mine); assert.equal(mine.a, 3); mine.a = 4; assert.deepEqual(x.states(mine), [false, true, false])`,
      'later, by the solution': `const held = x.get(); held.a.push(2); x.freeze(); assert.ok(Object.isFrozen(held)); assert.deepEqual(held, { a: [1, 2] })
        const mine = { a: 1 }; x.seal(mine); assert.ok(Object.isSealed(mine)); x.freeze(mine); assert.throws(() => { mine.a = 2 }, TypeError)`,
      'later, by the tests': `const mine = { a: 1 }; x.set(mine); Object.freeze(mine); assert.deepEqual(x.states(mine), [false, true, true]); assert.throws(() => x.set(mine), TypeError)`,
      boxed: `assert.deepStrictEqual(x.boxed(), [new String('ab'), new Number(-0), new Boolean(false), Object(1n), Object(Symbol.iterator)])
        assert.ok(x.isText(new String('xy'))); assert.equal(x.boxed()[0] + x.boxed()[1], 'ab0')`,
      addresses: `const url = x.address(); assert.ok(url instanceof URL); assert.deepStrictEqual(url, new URL('http://a.example/p?q=1')); assert.equal(url.searchParams.get('q'), '1')
        x.move(url); assert.equal(url.href, 'http://a.example/moved?q=1'); const mine = new URL('http://b?q=2'); assert.equal(x.isUrl(mine), '2')
        url.hash = 'h'; assert.equal(x.address().hash, '#h'); assert.equal(x.isUrl({ href: 'http://b' }), false)`,
    }
    expect(await judgeModule(source, bodies)).toBe(allOf(bodies))
  })

  it('with nested calls, up to a stack overflow', async () => {
    const source = `export const down = (n, back) => n === 0 ? 'end' : back(n - 1)
      export const ask = (back) => back()
      export const framed = (n, back) => n === 0 ? back() : framed(n - 1, back)
      export const guarded = (back) => { try { return back() } catch (error) { return error.name } }
      export const alone = () => alone()`
    const bodies = {
      'some hundred': `const deep = (n) => x.down(n, deep); for (const n of [10, 200, 500]) assert.equal(deep(n), 'end')`,
      'without an end': `const mine = () => x.ask(mine); assert.throws(mine, { name: 'RangeError', message: 'Maximum call stack size exceeded' })
        for (let n = 0; n < 5; n++) { const framed = () => x.framed(11 * n, framed); assert.throws(framed, RangeError) }`,
      'that the solution catches': `const mine = () => x.guarded(mine); assert.equal(mine(), 'RangeError')`,
      'within the solution': 'assert.throws(x.alone, RangeError)',
      'and go on after that': `const deep = (n) => x.down(n, deep); assert.equal(deep(50), 'end')`,
    }
    expect(await judgeModule(source, bodies)).toBe(allOf(bodies))
  })
})

describe('the limits of hidden tests that the guide lists', { timeout: 60_000 }, () => {
  const differs: Record<string, [source: string, body: string]> = {
    'traps of a Proxy are lost': [
      'export const v = new Proxy({ a: 1 }, { get: () => 2 })',
      'assert.equal(x.v.b, undefined)',
    ],
    'two views of one buffer arrive as copies': [
      'const bytes = new Uint8Array([1, 2]); export const views = () => [bytes, bytes.subarray(1)]',
      'const [all, part] = x.views(); all[1] = 9; assert.equal(part[0], 2); assert.ok(all.buffer !== part.buffer)',
    ],
    'own members of a URL, of bytes and of an iterator are left behind': [
      `export const url = Object.assign(new URL('http://a'), { tag: 1, toString: () => 'b' })
        export const walk = () => Object.assign((function* () { yield 1 })(), { tag: 1, next: () => ({ done: true }) })`,
      `assert.equal(String(x.url), 'http://a/'); assert.equal(x.url.tag, 1); assert.deepEqual([...x.walk()], [1]); assert.equal(x.walk().tag, undefined)`,
    ],
    'an iterator that arrived is none for util.types': [
      'export const idle = () => (function* () {})()',
      `const { types } = await import('node:util'); assert.equal(types.isGeneratorObject(x.idle()), false)`,
    ],
    'a WeakRef is empty': [
      'const kept = {}; export const ref = new WeakRef(kept)',
      'assert.equal(x.ref.deref, undefined)',
    ],
    'mocked timers do not reach the solution': [
      'export const later = (work) => { setTimeout(work, 5) }',
      `t.mock.timers.enable({ apis: ['setTimeout'] }); let ran = false; x.later(() => { ran = true }); t.mock.timers.tick(10); assert.equal(ran, false); t.mock.timers.reset()`,
    ],
    'a mocked date does not reach the solution': [
      'export const now = () => Date.now()',
      `t.mock.timers.enable({ apis: ['Date'], now: 5 }); assert.equal(Date.now(), 5); assert.ok(x.now() > 1e12)`,
    ],
    'mocks of builtins do not reach the solution': [
      'export const draw = () => Math.random()',
      `t.mock.method(Math, 'random', () => 7); assert.ok(x.draw() < 1)`,
    ],
    'a signal of the tests is followed by no AbortSignal.any there': [
      'export const any = (signal) => AbortSignal.any([signal])',
      `const mine = new AbortController(); let both; try { both = x.any(mine.signal) } catch (error) { assert.equal(error.name, 'TypeError') }
        mine.abort(); assert.ok(!both?.aborted)`,
    ],
    'instances of other classes of Node’s are objects with their methods': [
      `import { EventEmitter } from 'node:events'; export const emitter = new EventEmitter()`,
      `const { EventEmitter } = await import('node:events'); let heard; x.emitter.on('a', (n) => { heard = n }); x.emitter.emit('a', 5)
        assert.equal(heard, 5); assert.equal(x.emitter instanceof EventEmitter, false)`,
    ],
    'what was added to a builtin’s instance in its own methods’ place is left behind': [
      'export const pushed = Object.assign([1], { push: () => 9 }); export const size = () => pushed.length',
      'assert.equal(x.pushed.push(2), 2); assert.equal(x.size(), 2)',
    ],
    'Symbol.hasInstance of the solution is left behind': [
      'export class Even { static [Symbol.hasInstance](n) { return n % 2 === 0 } }',
      'assert.equal(2 instanceof x.Even, false)',
    ],
    'an error’s message is a text': [
      'export const fail = () => { throw Object.assign(new Error(), { message: { code: 1 } }) }',
      `assert.throws(x.fail, { message: '[object Object]' })`,
    ],
    'methods of the solution’s own objects are believed': [
      'export const list = { every: () => true, includes: () => true }',
      'assert.ok(x.list.every((n) => n > 0) && x.list.includes(5))',
    ],
    'microtasks of both do not take turns': [
      `export const order = (seen) => { Promise.resolve().then(() => seen.push('solution')) }`,
      `const seen = []; x.order(seen); await Promise.resolve().then(() => seen.push('tests')); assert.deepEqual(seen, ['tests'])`,
    ],
  }
  it('are the real ones', async () => {
    const source = Object.values(differs).map(([source]) => source)
    const bodies = Object.fromEntries(Object.entries(differs).map(([name, [, body]]) => [name, body]))
    expect(await judgeModule(source.join('\n'), bodies)).toBe(allOf(bodies))
  })
})

it("removeBlockingFiles removes a method's files at the paths of tests and harness, and nothing else", () => {
  const task = codeTask()
  const spec = task.spec.graders[0] as Parameters<typeof removeBlockingFiles>[0]['spec']
  const cleared = (files: Record<string, string>) => {
    const signal = new AbortController().signal
    const job = {
      task,
      spec,
      files,
      folder: 'tests',
      tests: task.hidden.tests,
      run: spawnUnsandboxed,
      signal,
    } as const
    return Object.keys(removeBlockingFiles(job).files)
  }
  const own = { 'src/sum.mjs': '', 'tests/mine.mjs': '', '.benchmark': '', test: '' }
  expect(cleared({ ...own, tests: '', '.bench': '', '.bench/job/x': '' })).toEqual(Object.keys(own))
  expect(cleared({ ...own, 'tests/sum.test.mjs': '', 'tests/sum.test.mjs/x': '' })).toEqual([
    ...Object.keys(own),
    'tests/sum.test.mjs',
  ])
})

describe('the summary of a test command', () => {
  it.each([
    [
      'TAP of node:test',
      '# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n',
      { passed: 2, failed: 1 },
    ],
    ['text of node:test', 'ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\n', { passed: 1, failed: 1 }],
    ['pytest', '==== 1 failed, 3 passed, 1 skipped in 0.12s ====\n', { passed: 3, failed: 1 }],
    ['pytest, quiet', '2 passed in 0.01s\n', { passed: 2, failed: 0 }],
    ['pytest with errors', '=== 1 passed, 2 errors in 0.5s ===\n', { passed: 1, failed: 2 }],
    ['unittest', '.F.\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n', { passed: 2, failed: 1 }],
    ['unittest with skips', 'Ran 4 tests in 0.001s\n\nOK (skipped=1)\n', { passed: 3, failed: 0 }],
    ['jest', 'Tests:       1 failed, 4 passed, 5 total\n', { passed: 4, failed: 1 }],
    ['nothing of the kind', 'all good, 5 apples\n', undefined],
  ])('is read from %s', (_, output, counts) => {
    expect(readSummary(output)).toEqual(counts)
  })
})

describe('a command as grader', () => {
  const task = (command: string[], expectTests = 3) =>
    codeTask({ spec: { graders: [{ kind: 'tests', runner: 'command', command, expectTests }] } })
  const node = [process.execPath, 'tests/sum.test.mjs']
  const judge = async (of: ReturnType<typeof task>, source: string) =>
    (await gradeLeft(of, { files: { 'src/sum.mjs': source } })).scores[0]

  it('counts the tests in its summary', async () => {
    expect(await judge(task(node), rightSum)).toMatchObject({ value: 1, tests: { passed: 3, total: 3 } })
    expect(await judge(task(node), rightSum.replace('a * 2', 'a'))).toMatchObject({
      tests: { passed: 2, total: 3 },
    })
    expect(await judge(task(node, 4), rightSum)).toMatchObject({ value: 0.75 })
  })

  it('reports the same each time', async () => {
    const wrong = rightSum.replace('a * 2', 'a')
    expect(await judge(task(node), wrong)).toEqual(await judge(task(node), wrong))
  })

  it('trusts the exit code if there is no summary', async () => {
    expect(await judge(task([process.execPath, '-e', '0']), rightSum)).toMatchObject({ value: 1 })
    expect(await judge(task([process.execPath, '-e', 'process.exit(2)']), rightSum)).toMatchObject({
      value: 0,
    })
  })

  it('does not trust a summary with a failing exit code', async () => {
    const command = [process.execPath, '-e', 'console.log("# pass 3\\n# fail 0"); process.exitCode = 1']
    expect(await judge(task(command), rightSum)).toMatchObject({ value: 0 })
  })
})
