import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completeFunction } from '../../src/replies/code/complete-function.ts'
import type { Task } from '../../src/schema/task.ts'
import { humanevalJs } from '../../src/suites/humaneval-js.ts'
import { javaScriptLines } from '../helpers/suites/code-suites.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { jsonLines, writeFiles } from '../helpers/suites/write-suite.ts'

const { clamp, unwrap } = javaScriptLines

const load = (text: string) => readSuite(humanevalJs, join(writeFiles({ 'x_js.jsonl': text }), 'x_js.jsonl'))
const both = async () => (await load(jsonLines(clamp, unwrap))).tasks as [Task, Task]

it('humaneval-js makes a test of each console.assert, and visible checks of the examples', async () => {
  const { tasks, problems } = await load(jsonLines(clamp, unwrap))
  expect(problems).toEqual([])
  const [task, other] = tasks as [Task, Task]
  expect(tasks.map(({ ref }) => ref)).toEqual(['humaneval-js/JavaScript-901', 'humaneval-js/JavaScript-902'])
  expect(task.spec).toMatchObject({ entryPoint: 'clampTo', language: 'javascript', licence: 'Apache-2.0' })
  expect(task.spec.graders).toMatchObject([{ runner: 'node-test', expectTests: 3 }])
  expect(task.spec.checks).toMatchObject({ runner: 'node-test', expectTests: 1 })
  expect(other.spec.graders).toMatchObject([{ expectTests: 1 }])
  expect(other.spec.checks).toBeUndefined()
  const tests = task.hidden.tests['asserts.test.cjs'] ?? ''
  expect(tests).not.toContain('console.assert')
  expect(tests).toContain('"clampTo(3, 1, 5) === 3"')
})

it('humaneval-js shows neither tests nor solution', async () => {
  const [task] = await both()
  const visible = JSON.stringify([task.instruction, task.files, task.checks])
  expect(visible).not.toMatch(/-2, 1, 5|return low/)
  expect(task.files['solution.cjs']).toMatch(/^Object\.assign\(module\.exports, .*\n\n\/\* Keeps a number/)
})

it('humaneval-js gives tests the helpers of the prompt, not those of the solution', async () => {
  const [task, other] = await both()
  expect(task.hidden.tests['asserts.test.cjs']).not.toContain('wrapAll')
  expect(other.hidden.tests['asserts.test.cjs']).toContain('const wrapAll = (texts) => {')
})

it.each([
  ['a body with its last brace', '  return 1\n}\n'],
  ['a body without its last brace', '  return 1'],
  ['a whole function', 'const clampTo = (a) => {\n  return 1\n}'],
  ['a function declaration with an export', 'export function clampTo(a) {\n  return 1\n}'],
  ['a module of CommonJS', 'function clampTo(a) {\n  return 1\n}\nmodule.exports = clampTo'],
])('humaneval-js takes %s', async (_, reply) => {
  const [task] = await both()
  const module: { exports: { clampTo?: unknown } } = { exports: {} }
  new Function('module', 'exports', completeFunction(task, reply))(module, module.exports)
  const { exports } = module
  expect(((exports.clampTo ?? exports) as () => number)()).toBe(1)
})

it('humaneval-js names a package that Node does not have as a known issue', async () => {
  const md5 = { ...clamp, canonical_solution: "  return require('js-md5')(value)\n}\n" }
  const own = {
    ...clamp,
    task_id: 'JavaScript/7',
    canonical_solution: "  return require('crypto').hash(1)\n}\n",
  }
  const [task, other] = (await load(jsonLines(md5, own))).tasks as [Task, Task]
  expect(task.spec.knownIssues).toEqual([expect.stringContaining('needs the package js-md5')])
  expect(other.spec.knownIssues).toBeUndefined()
})

it('humaneval-js reports all problems, by line and field', async () => {
  const { test: _, ...testless } = clamp
  const { problems } = await load(
    jsonLines(
      clamp,
      '{',
      testless,
      { ...unwrap, task_id: 'JavaScript/1', prompt: 'const f = 1\n' },
      { ...unwrap, task_id: 'JavaScript/2', prompt: 'const f = () => {}\n' },
      { ...unwrap, task_id: 'JavaScript/3', test: 'testIt()' },
      { ...unwrap, task_id: 'JavaScript/4', test: 'console.assert(' },
      clamp,
    ),
  )
  expect(problems.map(({ where, what }) => `${where.replace(/^.*\//, '')}: ${what}`)).toEqual([
    expect.stringMatching(/^x_js\.jsonl:2: is not JSON: /),
    'x_js.jsonl:3 test: is missing',
    'x_js.jsonl:4 prompt: does not end in an open function',
    'x_js.jsonl:5 prompt: does not end in an open function',
    'x_js.jsonl:6 test: has no console.assert that can be read',
    'x_js.jsonl:7 test: has no console.assert that can be read',
    'x_js.jsonl:8 task_id: repeats the task of line 1: JavaScript/901',
  ])
})
