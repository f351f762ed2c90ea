import { describe, expect, it } from 'vitest'
import { failed, judge } from '../../graders/test-run/judge-sum.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask, rightSum, sumTests } from '../../helpers/runs/sample-task.ts'

describe('a run of tests', { timeout: 30_000 }, () => {
  it.each([
    ['timers', 'setInterval(() => {}, 1000)'],
    ['a server', `import net from 'node:net'\nnet.createServer().listen(0)`],
    ['an endless exit handler', `process.on('exit', () => { for (;;) {} })`],
    ['a failing exit code', 'process.exitCode = 1'],
    [
      'noise',
      `console.log('{"passed": 0}'); console.error('Error: boo'); process.stdout.write('no line end')`,
    ],
    ['a flood of noise', `process.stdout.write('x'.repeat(3_000_000))`],
    [
      'its own global names',
      'globalThis.test = globalThis.describe = 1; globalThis.setImmediate = undefined',
    ],
  ])(
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
    expect(result.reason).toBe(
      '0 of 3 tests passed. still running after the limit of 700 ms, in the test "doubles"',
    )
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
