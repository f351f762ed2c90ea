import { describe, expect, it } from 'vitest'
import { readNamedResults } from '../../../src/graders/test-run/named-results.ts'
import { stripTypes } from '../../../src/graders/test-run/strip-types.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const outputs: Record<string, [output: string, expected: Record<string, boolean>]> = tableOf(
  import.meta.url,
  'outputs',
)

describe('names and results are read from', () => {
  it.each(Object.entries(outputs))('%s', (_, [output, expected]) => {
    expect(Object.fromEntries(readNamedResults(output))).toEqual(expected)
  })
})

const tests = `import test from 'node:test'
import assert from 'node:assert/strict'
import { add, type Sum } from '../src/add.ts'
const sum: Sum = add
test('adds', () => assert.equal(sum(2, 3), 5))
`
const task = sampleTask({
  files: { 'src/add.ts': '', 'src/sum.ts': 'export type Sum = (a: number, b: number) => number\n' },
  tests: { 'add.test.ts': tests },
  spec: {
    language: 'typescript',
    editable: ['src/add.ts'],
    graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }],
  },
})
const judge = async (source: string) => (await gradeLeft(task, { files: { 'src/add.ts': source } })).scores[0]
const head = `import type { Sum } from './sum.ts'\nexport type { Sum } from './sum.ts'\n`

describe('TypeScript tasks', { timeout: 20_000 }, () => {
  it('run on every Node, several files and the tests in TypeScript', async () => {
    expect(await judge(`${head}export const add: Sum = (a, b) => a + b`)).toMatchObject({ value: 1 })
    expect(await judge(`${head}export const add: Sum = (a, b) => a - b`)).toMatchObject({ value: 0 })
  })

  it('report line and column of the source', async () => {
    const source = `${head}export const add = (a: number, b: number): number => { throw new Error('here') }`
    expect((await judge(source))?.reason).toContain('Error: here (src/add.ts:3:62)')
  })

  it("fail with the reason if the solution's types cannot be stripped", async () => {
    const result = await judge('enum A { B }\nexport const add = (a: number, b: number) => a + b')
    expect(result).toMatchObject({ value: 0, tests: { passed: 0, total: 1 } })
    expect(result?.reason).toMatch(/src\/add\.ts is not TypeScript that can run here: .*enum/)
    expect((await judge('const a: = 1'))?.reason).toContain('src/add.ts is not TypeScript')
  })
})

it.each(['jsx', 'tsx'])('a file of .%s fails with one line that says what to do', async (ending) => {
  const path = `Greeting.${ending}`
  const view = sampleTask({
    files: { [path]: '' },
    tests: {
      'a.test.mjs': `import { it } from 'node:test'\nimport { A } from '../${path}'\nit('is', () => A())\n`,
    },
    spec: { editable: [path], graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] },
  })
  const files = { [path]: 'export const A = () => <b>Hello</b>\n' }
  expect((await gradeLeft(view, { files })).scores[0]?.reason).toContain(
    `${path}: could not be loaded: Error: JSX is not compiled: write the file without JSX as .ts or .js, or let a command of the task run the tests (runner: command)`,
  )
})

it('stripping types keeps every position', async () => {
  const source =
    'const a: number = 1 as number\ninterface A {\n  b: string\n}\nexport const c = <T,>(x: T): T => x\n'
  const stripped = await stripTypes(source, 'a.ts', 'stripped')
  expect(stripped).toHaveProperty('code')
  const code = (stripped as { code: string }).code
  expect(code).toHaveLength(source.length)
  expect(code.indexOf('export')).toBe(source.indexOf('export'))
})

it('a test of a commit that did not run says why its file, or what it imports, could not be loaded', async () => {
  const name = 'tests/add.test.ts > adds'
  const test =
    "import { expect, it } from 'vitest'\nimport { add } from '../src/add'\nit('adds', () => expect(add(1, 2)).toBe(3))\n"
  const commit = sampleTask({
    files: { 'src/add.ts': 'export const add = (a: number, b: number) => a - b\n' },
    tests: { 'add.test.ts': test },
    spec: {
      language: 'typescript',
      editable: ['src/add.ts'],
      grading: 'one-process',
      graders: [{ kind: 'tests', runner: 'vitest', expectTests: 1, failToPass: [name] }],
    },
  })
  const reasonOf = async (source: string) =>
    (await gradeLeft(commit, { files: { 'src/add.ts': source } })).scores[0]?.reason
  expect(await reasonOf('export const one = 1\nexport const add = (a: number => a\n')).toMatch(
    /adds: src\/add\.ts is not TypeScript that can run here: .*\(line 2, column \d+\)/,
  )
  expect(await reasonOf("export { add } from './gone'\n")).toMatch(/adds: could not be loaded: .*gone/)
})
