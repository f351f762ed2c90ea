import type { Files, Task } from '../../../src/schema/task.ts'
import { TaskSpec } from '../../../src/schema/task.ts'

/** The fields that a sample task may set; the others are minimal. */
export interface Sample {
  spec?: Record<string, unknown>
  files?: Files
  checks?: Files
  tests?: Files
  solution?: Task['hidden']['solution']
}

/** A task for tests, its specification checked like that of a real one. */
export function sampleTask({ spec, files = {}, checks = {}, tests = {}, solution }: Sample): Task {
  const parsed = TaskSpec.parse({
    id: 'sample',
    version: 1,
    title: 'Sample',
    output: 'files',
    editable: ['src/**'],
    graders: [{ kind: 'pattern', require: ['.'] }],
    licence: 'MIT',
    source: 'test',
    properties: {},
    ...spec,
  })
  return {
    ref: 'samples/sample',
    suite: 'samples',
    spec: parsed,
    instruction: 'Do it.',
    files,
    checks,
    hidden: { tests, ...(solution ? { solution } : {}) },
    digest: 'none',
    origin: 'test',
  }
}

/** A JavaScript task: add and double in src/sum.mjs, three hidden tests in one file. */
export function codeTask(overrides: Sample = {}): Task {
  return sampleTask({
    ...overrides,
    files: {
      'src/sum.mjs': 'export const add = () => 0\nexport const double = () => 0\n',
      ...overrides.files,
    },
    tests: overrides.tests ?? { 'sum.test.mjs': sumTests },
    solution: overrides.solution ?? { files: { 'src/sum.mjs': rightSum } },
    spec: {
      language: 'javascript',
      graders: [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 20_000 }],
      ...overrides.spec,
    },
  })
}

export const rightSum = 'export const add = (a, b) => a + b\nexport const double = (a) => a * 2\n'

export const sumTests = `import test from 'node:test'
import assert from 'node:assert/strict'
import { add, double } from '../src/sum.mjs'
test('adds', () => assert.equal(add(2, 3), 5))
test('adds negatives', () => assert.equal(add(-2, 3), 1))
test('doubles', async () => assert.equal(await double(4), 8))
`
