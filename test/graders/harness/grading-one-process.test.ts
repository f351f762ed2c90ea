import { describe, expect, it } from 'vitest'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'

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
