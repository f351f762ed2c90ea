import pMap from 'p-map'
import { describe, expect, it } from 'vitest'
import { runChecks } from '../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import { exercism } from '../../../src/suites/exercism/exercism.ts'
import { failed, judge } from '../../graders/test-run/judge-sum.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { codeTask, rightSum, sampleTask, sumTests } from '../../helpers/runs/sample-task.ts'
import { gates, lamp, writeTrack } from '../../helpers/suites/exercism-track.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'

describe('a run of tests', { timeout: 30_000 }, () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'endsIts'))(
    'ends with its tests, whatever a right solution leaves behind: %s',
    { timeout: 15_000 },
    async (_, source) => {
      expect(await judge(`${rightSum}${source}`)).toMatchObject({ passed: true, value: 1 })
    },
  )

  it('fails a solution whose errors escape its tests', async () => {
    const result = await judge(`${rightSum}Promise.reject(new Error('boo'))`)
    expect(result.passed).toBe(false)
    expect(result.reason).toContain('boo')
    expect((await judge(`${rightSum}setImmediate(() => { throw new Error('late') })`)).passed).toBe(false)
  })

  it('fails a test that never ends, and counts the others', async () => {
    const source = rightSum.replace('=> a * 2', '=> new Promise(() => {})')
    const result = await judge(source)
    expect(result).toMatchObject({ passed: false, tests: { passed: 2, total: 3 } })
    expect(result.reason).toContain('doubles: never ended')
  })

  it('fails a solution that never ends loading', async () => {
    const result = await judge(`${rightSum}await new Promise(() => {})`)
    expect(result).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
    expect(result.reason).toContain('loading: never ended')
  })

  it('reports which test ran at the time limit', async () => {
    const short = codeTask({
      spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 700 }] },
    })
    const result = await judge(rightSum.replace('=> a * 2', '=> { for (;;) {} }'), short)
    expect(result).toMatchObject(failed)
    expect(result.reason).toMatchSnapshot()
  })

  it('reports none of its own tests if a solution ends right after its last answer', async () => {
    const source = rightSum.replace('=> a * 2', '=> { setTimeout(() => process.exit(0), 1); return a * 2 }')
    for (let i = 0; i < 3; i++)
      expect(JSON.stringify(await judge(source))).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  it('fails a solution that ends itself by a signal', async () => {
    const result = await judge(`${rightSum}process.kill(process.pid, 'SIGKILL')`)
    expect(result).toMatchObject(failed)
    expect(result.reason).toContain('killed by SIGKILL')
  })

  it('fails if fewer tests ran than expected', async () => {
    const more = codeTask({ spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 4 }] } })
    const result = await judge(rightSum, more)
    expect(result).toMatchObject({ passed: false, value: 0.75, tests: { passed: 3, total: 4 } })
    expect(result.reason).toContain('3 of 4 tests ran')
  })

  it('counts a test that was skipped as not run', async () => {
    const skipping = codeTask({
      tests: { 'sum.test.mjs': sumTests.replace("test('doubles',", "test('doubles', { skip: true },") },
    })
    expect(await judge(rightSum, skipping)).toMatchObject({ passed: false, tests: { passed: 2, total: 3 } })
  })

  it('counts the tests in suites and subtests, and not the suites', async () => {
    const nested = `import test, { describe, it } from 'node:test'
import { add } from '../src/sum.mjs'
describe('suite', () => { it('one', () => add()); it('two', () => add()) })
test('parent', async (t) => { await t.test('child', () => add()) })`
    const spec = { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 4 }] }
    expect(await judge(rightSum, codeTask({ tests: { 'n.test.mjs': nested }, spec }))).toMatchObject({
      passed: true,
      tests: { passed: 4, total: 4 },
    })
  })

  it('draws the same random numbers each time', async () => {
    const tests = {
      'r.test.mjs': `import test from 'node:test'\nimport { add } from '../src/sum.mjs'\ntest('r', () => { throw new Error(String(add())) })`,
    }
    const random = codeTask({
      tests,
      spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] },
    })
    const source = 'export const add = () => Math.random()'
    expect((await judge(source, random)).reason).toBe((await judge(source, random)).reason)
  })

  it('reports the position of an error without folders', async () => {
    const source = `export const add = () => { throw new TypeError(import.meta.url) }\nexport const double = add`
    expect((await judge(source)).reason).toContain('adds: TypeError: src/sum.mjs (src/sum.mjs:1:')
  })

  it('starts with any package.json of the solution', async () => {
    const open = codeTask({ spec: { editable: ['**'] } })
    const files = {
      'src/sum.mjs': rightSum,
      'package.json': 'not JSON',
      '.bench/node-test.mjs': 'process.exit(0)',
    }
    expect((await gradeLeft(open, { files })).scores[0]).toMatchObject({ value: expect.any(Number) })
  })
})

const { signal } = new AbortController()

/** A task whose spec imports `x.js` as `x`. */
function specTask(body: string, expectTests: number, more: Record<string, unknown> = {}): Task {
  return sampleTask({
    files: { 'x.js': '', 'data.json': '{ "a": 1 }' },
    tests: { 'x.spec.js': `import { expect, jest } from '@jest/globals'\nimport * as x from './x'\n${body}` },
    spec: {
      language: 'javascript',
      editable: ['x.js'],
      graders: [{ kind: 'tests', runner: 'jest', testsIn: 'root', expectTests, timeoutMs: 20_000 }],
      ...more,
    },
  })
}

const reasonOf = async (task: Task, files: Files) => (await gradeLeft(task, { files })).scores[0]?.reason

/** Parts of Jest, each with a spec, the solution that it passes with, and how many tests run. */
const parts: Record<string, [spec: string, solution: string, count: number]> = tableOf(
  import.meta.url,
  'parts',
)

describe('specs of Jest', { timeout: 120_000 }, () => {
  it.each(Object.entries(parts))('run with %s', async (_, [spec, solution, count]) => {
    expect(await reasonOf(specTask(spec, count), { 'x.js': solution })).toBe(
      `${count} of ${count} tests passed`,
    )
  })

  it.each([
    [
      'a wrong value',
      `test('a', () => expect(x.a).toBe(2))`,
      /0 of 1 tests passed\. a: [\s\S]*Expected: 2\s+Received: 1 \(x\.spec\.js:3:/,
    ],
    [
      'a missing assertion',
      `test('a', () => { expect.assertions(2); expect(x.a).toBe(1) })`,
      /expected two assertions/i,
    ],
    [
      'a failing hook',
      `beforeEach(() => { throw new Error('here') }); test('a', () => {})`,
      /0 of 1 tests passed\. a: Error: here/,
    ],
    ['a test that never ends', `test('a', () => new Promise(() => {}))`, /a: never ended/],
    [
      'a rejection outside',
      `test('a', () => { Promise.reject(new Error('lost')) })`,
      /no error escapes its test: Error: lost/,
    ],
    ['a module that is missing', `import './other'\ntest('a', () => {})`, /x\.spec\.js: could not be loaded/],
  ])('fail with the reason: %s', async (_, spec, reason) => {
    const task = specTask(spec, 1)
    expect(await reasonOf(task, { 'x.js': 'export const a = 1' }).catch(String)).toMatch(reason)
  })

  const spec = `import { twice } from './x'
test('a', () => { expect(twice([1])).toEqual([2]) })
test('b', () => { expect(twice([])).toEqual([]) })
test('c', () => { expect(() => twice('a')).toThrow('no list') })`
  const right = `export const twice = (list) => { if (!Array.isArray(list)) throw new Error('no list'); return list.map((a) => a * 2) }`
  const make = (value: string) => `export const twice = () => (${value})`
  const cheats: Record<string, string> = {
    'ends at import': 'process.exit(0); export const twice = 0',
    'really ends at import': 'process.reallyExit(0); export const twice = 0',
    'ends in a call': 'export const twice = () => process.exit(0)',
    'ends soon': 'setImmediate(() => process.exit(0)); export const twice = () => []',
    'prints a report': `console.error('\\nfinished\\n00000000-0000-4000-8000-000000000000 end\\n'); process.exit(0); export const twice = 0`,
    'edits the tests': `import fs from 'node:fs'; for (const name of fs.readdirSync('.')) if (name.includes('spec')) fs.writeFileSync(name, ''); ${make('0')}`,
    'replaces expect': `globalThis.expect = () => new Proxy({}, { get: () => () => {} }); ${make('0')}`,
    'equals all': make('{ asymmetricMatch: () => true, $$typeof: Symbol.for("jest.asymmetricMatcher") }'),
    'equals all as an item': make('[{ asymmetricMatch: () => true }]'),
    'equals all by its class': `class All { asymmetricMatch() { return true } } ${make('new All()')}`,
    'equals all by a getter': make('{ get asymmetricMatch() { return () => true } }'),
    'equals all as a function': make('Object.assign(() => {}, { asymmetricMatch: () => true })'),
    'equals all as a proxy': make('new Proxy({}, { get: () => () => true, has: () => true })'),
    'never ends': 'export const twice = () => { for (;;); }',
    'floods its output': `for (;;) process.stderr.write('x'.repeat(1e6)); export const twice = 0`,
    'reads its input': `import fs from 'node:fs'; export const twice = () => [fs.readFileSync(0, 'utf8').length]`,
    'changes builtins': `Array.isArray = Object.is = () => true; JSON.parse = () => []; ${make('0')}`,
  }

  it('pass with the right solution, and with no cheat', async () => {
    const task = specTask(spec, 3, {
      graders: [{ kind: 'tests', runner: 'jest', testsIn: 'root', expectTests: 3, timeoutMs: 5000 }],
    })
    expect(await reasonOf(task, { 'x.js': right })).toBe('3 of 3 tests passed')
    const passed = await pMap(
      Object.entries(cheats),
      async ([name, text]) => ((await gradeLeft(task, { files: { 'x.js': text } })).passed ? [name] : []),
      { concurrency: 2 },
    )
    expect(passed.flat()).toEqual([])
  })

  it('that run in one process notice an early end and changed tests, and keep the builtin matchers', async () => {
    const task = specTask(spec, 3, { grading: 'one-process' })
    expect(await reasonOf(task, { 'x.js': right })).toMatchSnapshot()
    for (const name of [
      'ends at import',
      'ends in a call',
      'ends soon',
      'edits the tests',
      'replaces expect',
    ])
      expect((await gradeLeft(task, { files: { 'x.js': cheats[name] as string } })).passed, name).toBe(false)
    const extend = `import { expect } from '@jest/globals'; expect.extend({ toEqual: () => ({ pass: true }) }); ${make('0')}`
    expect(await reasonOf(task, { 'x.js': extend })).toMatch(/cannot replace the matcher toEqual/)
  })
})

describe('exercises of Exercism', { timeout: 120_000 }, () => {
  it.each([
    ['javascript', gates],
    ['typescript', lamp],
  ] as const)(
    'of the track %s pass with their reference and fail with their stub',
    async (slug, exercise) => {
      const folder = tempFolder()
      writeTrack(folder, slug, [exercise])
      const { tasks } = await readSuite(exercism, folder)
      const task = tasks[0] as Task
      const reference = task.hidden.solution?.files as Files
      expect((await gradeLeft(task, { files: reference })).scores).toMatchObject([{ value: 1 }])
      expect((await gradeLeft(task, {})).scores).toMatchObject([{ value: 0 }])
      const checks = await runChecks(task, { ...task.files, ...reference }, spawnUnsandboxed, signal)
      expect(checks).toMatchObject({ status: 'passed', passed: 1, total: 1 })
    },
  )

  it('name the line of TypeScript where an error was thrown, also beside an enum', async () => {
    const folder = tempFolder()
    writeTrack(folder, 'typescript', [lamp])
    const { tasks } = await readSuite(exercism, folder)
    const source = `enum A {\n  B,\n}\nexport const State = A\nexport class Lamp {\n  get state(): number {\n    throw new Error('here')\n  }\n}\n`
    expect((await gradeLeft(tasks[0] as Task, { files: { 'lamp.ts': source } })).scores[0]?.reason).toContain(
      'Error: here (lamp.ts:7:',
    )
  })
})
