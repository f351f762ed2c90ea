import { describe, expect, it } from 'vitest'
import { grade, isGradable } from '../../../src/graders/grade.ts'
import { runsCode } from '../../../src/graders/registry.ts'
import { checkTask } from '../../../src/suites/task-rules.ts'
import { gradeLeft, type Left } from '../../helpers/graders/grader-contract.ts'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { type Sample, sampleTask } from '../../helpers/runs/sample-task.ts'

const moduleTask = (tests: Record<string, string>, more: Sample['spec'] = {}, sample: Sample = {}) =>
  sampleTask({
    ...sample,
    tests,
    spec: {
      output: 'answer',
      editable: [],
      graders: [{ kind: 'module', name: 'mine', file: Object.keys(tests)[0], timeoutMs: 2000 }],
      ...more,
    },
  })

const score = async (tests: Record<string, string>, left: Left = { answer: 'six words that count as one' }) =>
  (await gradeLeft(moduleTask(tests), left)).scores[0]

const fault = (tests: Record<string, string>) =>
  score(tests).then(
    (found) => `no error, but ${JSON.stringify(found)}`,
    (error: Error) => `${error.name}: ${error.message}`,
  )

describe('a grader of kind module', () => {
  it.each(tableOf<[string, Record<string, string>][]>(import.meta.url, 'takesScore'))(
    'takes score and reason of a function in %s',
    async (_, tests) => {
      expect(await score(tests)).toEqual({ name: 'mine', value: 0.5, reason: 'half' })
    },
  )

  it.each([
    ['a number', 'export const grade = () => 0.25', 0.25],
    ['true', 'export const grade = () => true', 1],
    ['false', 'export const grade = () => false', 0],
    ['a score without a reason', 'export const grade = () => ({ score: 1 })', 1],
  ])('takes %s', async (_, code, value) => {
    expect(await score({ 'a.mjs': code })).toEqual({ name: 'mine', value, reason: `the score is ${value}` })
  })

  it('gives the function files, answer and task as data', async () => {
    const code = 'export const grade = (given) => ({ score: 1, reason: JSON.stringify(given) })'
    const task = moduleTask(
      { 'a.mjs': code },
      { output: 'files', editable: ['*.md'] },
      { files: { 'a.md': 'before' }, solution: { files: { 'a.md': 'right' } } },
    )
    const { scores } = await gradeLeft(task, {
      answer: 'said',
      files: { 'a.md': 'after', 'b.js': 'dropped' },
    })
    expect(JSON.parse(scores[0]?.reason ?? '')).toEqual({
      answer: 'said',
      files: { 'a.md': 'after' },
      task: {
        ref: 'samples/sample',
        title: 'Sample',
        instruction: 'Do it.',
        files: { 'a.md': 'before' },
        solution: { files: { 'a.md': 'right' } },
      },
    })
  })

  it('puts no file of the work into the folder of the function', async () => {
    const code = `import { readdirSync } from 'node:fs'
export const grade = () => ({ score: 1, reason: readdirSync('.').sort().join() })`
    const task = moduleTask({ 'a.mjs': code }, { output: 'files', editable: ['*'] })
    const { scores } = await gradeLeft(task, {
      files: { 'package.json': '{"type":"commonjs"}', 'x.mjs': '' },
    })
    expect(scores[0]?.reason).toBe('.bench,tests')
  })

  it('gives the answer of the last line where the task says so', async () => {
    const graders = [{ kind: 'module', file: 'a.mjs', reads: 'last-line' }]
    const code = 'export const grade = ({ answer }) => answer === "42"'
    const task = moduleTask({ 'a.mjs': code }, { graders })
    expect((await gradeLeft(task, { answer: 'I counted.\nAnswer: 42' })).passed).toBe(true)
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'atFault'))(
    'is at fault where its function %s',
    async (_, code, message) => {
      const spec = { 'a.mjs': code }
      const found = await fault(spec)
      expect(found).toContain('InfrastructureError: samples/sample: the grader mine (tests/a.mjs)')
      expect(found).toContain(message)
    },
  )

  it.each([
    ['raises', 'def grade(given):\n    return given["none"]\n', "threw KeyError: 'none' (tests/a.py:2)"],
    ['returns nan', 'def grade(given):\n    return float("nan")\n', 'returned "nan", which is no score'],
    ['ends the process', 'import os\n\n\ndef grade(given):\n    os._exit(0)\n', 'ended with exit code 0'],
    ['leaves by sys.exit', 'import sys\n\n\ndef grade(given):\n    sys.exit(0)\n', 'before it gave a score'],
    ['is missing', 'x = 1\n', 'has no function `grade`'],
  ])('is at fault where its Python function %s', async (_, code, message) => {
    expect(await fault({ 'a.py': code })).toContain(message)
  })

  it('gives an empty answer 0 without a call', async () => {
    const task = moduleTask({ 'a.mjs': 'export const grade = () => { throw 1 }' })
    expect(await gradeLeft(task, { answer: ' ' })).toMatchObject({ passed: false, scores: [{ value: 0 }] })
  })

  it('needs a sandbox, and the file that it names', async () => {
    const task = moduleTask({ 'a.mjs': 'export const grade = () => 1' })
    expect(runsCode(task)).toBe(true)
    const without = { ...task, hidden: { tests: {} } }
    expect(isGradable(without)).toBe(false)
    const { signal } = new AbortController()
    const run = () => Promise.reject(new Error('nothing runs'))
    await expect(grade(without, { files: {}, answer: 'x', run, signal })).rejects.toThrow(
      'has nothing to compare',
    )
    const data = without.spec
    const problems = checkTask(
      { data, where: (...path) => path.join('.') },
      { files: {}, checks: {}, tests: {}, solution: {} },
    )
    expect(problems).toMatchSnapshot()
  })
})

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

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'exports'))(
    'that exports %s',
    async (name, source, body) => {
      expect(await judgeModule(source, { [name]: body }, { path })).toBe('1 of 1 tests passed')
    },
  )
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
