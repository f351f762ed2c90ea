import { describe, expect, it } from 'vitest'
import { readViteResults } from '../../../strategies/tools/build-results.ts'
import { readTestResults, type TestTool } from '../../../strategies/tools/test-results.ts'

// Tests and outputs that look like others: equal names, names like durations, printed reports.

const report = (tool: TestTool, junit: string, output: string, exitCode = 1) =>
  readTestResults({
    tool,
    junit: `<testsuites>${junit}</testsuites>`,
    output,
    exitCode,
    workspace: '/workspace',
  })

const failed = (name: string, error: string) =>
  `<testcase name="${name}" classname="test"><failure type="testCodeFailure" message="${error}">
Error [ERR_TEST_FAILURE]: ${error}
  code: 'ERR_TEST_FAILURE',
  failureType: 'testCodeFailure',
  cause: ${error}
}
</failure></testcase>`
const passed = (name: string) => `<testcase name="${name}" classname="test"/>`
const end = (...entries: string[]) =>
  `ℹ tests 2\nℹ duration_ms 20.5\n${entries.length === 0 ? '' : `\n✖ failing tests:\n\n${entries.join('\n')}`}`
const entry = (place: string, title: string, error: string) => `test at ${place}\n✖ ${title}\n  ${error}\n`
const places = ({ failures }: ReturnType<typeof report>) =>
  failures.map(({ file, line, test_name }) => `${file}:${line} ${test_name}`)

describe('a report of node:test', () => {
  const a = entry('test/a.test.mjs:2:20', 'works (0.6ms)', 'Error: from a')
  const b = entry('test/b.test.mjs:3:1', 'works (0.9ms)', 'Error: from b')
  const inSuite = (error: string) => `<testsuite name="s">${failed('works', error)}</testsuite>`

  it('has the place of each of two tests with one name, by message and in the order of the file', () => {
    const junit = `${inSuite('Error: from a')}${failed('works', 'Error: from b')}`
    const expected = ['test/a.test.mjs:2 s > works', 'test/b.test.mjs:3 works']
    expect(places(report('node:test', junit, end(a, b)))).toEqual(expected)
    expect(places(report('node:test', junit, end(b, a)))).toEqual(expected)
    const equal = junit.replaceAll(/from [ab]/g, 'same')
    const list = end(a, b).replaceAll(/from [ab]/g, 'same')
    expect(places(report('node:test', equal, list))).toEqual(expected)
  })

  it('has the place of tests that were cancelled, which have no duration', () => {
    const cancelled = "'test did not finish before its parent and was cancelled'"
    const junit = ['h', 'h']
      .map((name) => `<testsuite name="${name}">${failed('one', cancelled)}</testsuite>`)
      .join('')
    const list = end(
      ...['a', 'b'].flatMap((file) => [
        entry(`test/${file}.test.mjs:4:3`, 'one', cancelled),
        entry(`test/${file}.test.mjs:2:1`, 'h (1.5ms)', 'Error: hook'),
      ]),
    )
    expect(places(report('node:test', junit, list))).toEqual([
      'test/a.test.mjs:2 h',
      'test/a.test.mjs:4 h > one',
      'test/b.test.mjs:2 h',
      'test/b.test.mjs:4 h > one',
    ])
  })

  it('has one failure for a name that holds a duration, and none for a test to be done with a reason', () => {
    const todo = failed('later', 'Error: no').replace('<failure', '<skipped type="todo"/><failure')
    const names = ['waits (100ms) then fails', 'waits (100ms)', 'is (2ms) # new']
    const list = end(
      ...names.map((name, i) => entry(`test/a.test.mjs:${i + 1}:1`, `${name} (0.21ms)`, 'Error: no')),
      entry('test/a.test.mjs:9:1', 'later (0.1ms) # when it is (5ms) fast', 'Error: no'),
    )
    const found = report(
      'node:test',
      `${names.map((name) => failed(name, 'Error: no')).join('')}${todo}`,
      list,
    )
    expect(places(found)).toEqual(names.map((name, i) => `test/a.test.mjs:${i + 1} ${name}`))
    expect(found.summary).toEqual({ total: 4, passed: 0, failed: 3, skipped: 1 })
  })

  it('has no failure of a list that a test printed, whether the run passes or fails', () => {
    const printed = end(entry('fixture/inner.mjs:1:1', 'inner (0.2ms)', 'Error: expected'))
    const good = report('node:test', passed('prints'), `${printed}\n✔ prints (1ms)\n${end()}`, 0)
    expect(good).toMatchObject({ success: true, failures: [] })
    const junit = passed('prints') + failed('works', 'Error: from a')
    const bad = report('node:test', junit, `${printed}\n✔ prints (1ms)\n${end(a)}`)
    expect(places(bad)).toEqual(['test/a.test.mjs:2 works'])
  })

  it('has what was thrown where that is no error', () => {
    const { failures } = report('node:test', failed('a', 'null') + failed('b', 'undefined'), end())
    expect(failures.map(({ error }) => error)).toEqual(['null', 'undefined'])
  })
})

describe('a report of vitest', () => {
  const junit = '<testsuite name="a"><testcase classname="a.test.js" name="a"/></testsuite>'
  const printed =
    '⎯⎯ Unhandled Errors ⎯⎯\n Test Files  1 failed (1)\n      Tests  0 passed (9)\n     Errors  1 error\n'
  const counts = ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n'

  it('is one of success where a test printed errors and counts', () => {
    expect(report('vitest', junit, `${printed}${counts}`, 0)).toEqual({
      success: true,
      summary: { total: 1, passed: 1, failed: 0, skipped: 0 },
      failures: [],
    })
  })

  it('passes on the last errors that belong to no test, unless the project ignores them', () => {
    const output = `${printed}⎯⎯ Unhandled Errors ⎯⎯\nError: late\n${counts}     Errors  1 error\n`
    const { raw } = report('vitest', junit, output, 1)
    expect(raw?.reason).toBe('errors that belong to no test')
    expect(raw?.text).toMatch(/^⎯⎯ Unhandled Errors ⎯⎯\nError: late\n/)
    expect(report('vitest', junit, output, 0)).toMatchObject({ success: true, failures: [] })
  })
})

describe('a name or a message', () => {
  it.each([
    ['vitest', 'a \u0001[31mred', 'a red'],
    ['pytest', 'a#x1B[31m == b#x00', 'a == b'],
    ['node:test', 'a\u0007 bell, #x100', 'a bell, #x100'],
  ] as const)('of %s has no character that a terminal acts on', (tool, text, plain) => {
    const xml = text.replace(/\p{Cc}/gu, (one) => `&#x${one.charCodeAt(0)};`)
    const one = `<testcase classname="a.py" name="${xml}"><failure message="${xml}">${xml}</failure></testcase>`
    const [failure] = report(tool, `<testsuite name="s">${one}</testsuite>`, '').failures
    expect(failure).toMatchObject({ error: plain })
    expect(failure?.test_name.endsWith(plain)).toBe(true)
  })
})

describe('a report of vite', () => {
  it('passes on the output where esbuild counts more errors than it prints', () => {
    const shown = [1, 2, 3, 4, 5].map((line) => `/workspace/a.ts:${line}:0: ERROR: Unexpected "}"`).join('\n')
    const build = (count: number) =>
      readViteResults(
        {
          output: `error during build:\n[vite:esbuild] Transform failed with ${count} errors:\n${shown}\n...\nfile: /workspace/a.ts:1:0\n`,
          exitCode: 1,
        },
        '/workspace',
      )
    expect(build(5).raw).toBeUndefined()
    expect(build(9).errors).toHaveLength(5)
    expect(build(9).raw?.reason).toBe('vite says that there are 9 errors, and 5 were found')
  })
})
