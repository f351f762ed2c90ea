import { describe, expect, it } from 'vitest'
import { readTscResults, readViteResults } from '../../../strategies/tools/build-results.ts'
import { readTestResults, type TestTool } from '../../../strategies/tools/test-results.ts'
import { tableOf } from '../../helpers/house/tables.ts'

// Forms that real versions of the tools write, and that other readers were reported to miss.

const workspace = '/workspace'
const suites = (inner: string, attributes = '') =>
  `<testsuites><testsuite name="s" ${attributes}>${inner}</testsuite></testsuites>`
const tests = (tool: TestTool, junit: string, exitCode: number, output = 'the output') =>
  readTestResults({ tool, junit, exitCode, output, workspace })
const failure = '<failure type="testCodeFailure" message="no">no</failure>'

describe('a report of tests', () => {
  it('has the tests of a suite that Node calls undefined', () => {
    const xml = `<testsuites><undefined name="of a file"><testcase name="lost" classname="test">${failure}</testcase>
<testcase name="fine" classname="test"/><testsuite name="inner"><testcase name="deep" classname="test">${failure}</testcase></testsuite>
</undefined><!-- fail 2 --></testsuites>`
    const { failures, summary } = tests('node:test', xml, 1)
    expect(failures.map(({ test_name }) => test_name)).toEqual(
      ['inner > deep', 'lost'].map((name) => `of a file > ${name}`),
    )
    expect(summary).toEqual({ total: 3, passed: 1, failed: 2, skipped: 0 })
  })

  it('has no failure for a test of Node that is still to be done', () => {
    const xml = `<testsuites><testcase name="later" classname="test"><skipped type="todo" message="true"/>${failure}</testcase>
<testcase name="fine" classname="test"/><!-- fail 0 --><!-- todo 1 --></testsuites>`
    const output = `✖ failing tests:

test at test/a.test.mjs:3:1
✖ later (0.1ms) # TODO
  Error: no
`
    expect(tests('node:test', xml, 0, output)).toEqual({
      success: true,
      summary: { total: 2, passed: 1, failed: 0, skipped: 1 },
      failures: [],
    })
  })

  it('has one failure for a test of pytest with subtests that failed, and nothing raw', () => {
    const xml = suites(
      `<testcase classname="test_a" name="test_sub" file="test_a.py" line="0"><failure message="assert 1 == 0">test_a.py:4: AssertionError</failure>
<failure message="assert 3 == 0">test_a.py:4: AssertionError</failure></testcase>`,
      'errors="0" failures="2" tests="1"',
    )
    expect(tests('pytest', xml, 1)).toMatchSnapshot()
  })

  it('is raw as well where pytest was interrupted, but not where a file could not be collected', () => {
    const failed = '<testcase classname="test_a" name="test_1"><failure message="assert 0"/></testcase>'
    expect(tests('pytest', suites(failed, 'errors="0" failures="1"'), 2).raw).toEqual({
      reason: 'pytest ended with exit code 2',
      text: 'the output',
    })
    const uncollected =
      '<testcase classname="" name="test_b"><error message="collection failure">E   NameError: x</error></testcase>'
    const report = tests('pytest', suites(uncollected, 'errors="1" failures="0"'), 2)
    expect(report.raw).toBeUndefined()
    expect(report.failures).toMatchObject([{ test_name: 'test_b', error: 'NameError: x' }])
  })

  it('passes on XML that is none, since a control character or a tag stands in a message', () => {
    for (const message of ['a \u0001 bell', 'a <anonymous> tag', 'an & alone']) {
      const xml = suites(
        `<testcase name="bad" classname="a.test.mjs"><failure message="x">${message}</failure></testcase>`,
      )
      const { raw, failures, success } = tests('vitest', xml, 1, 'FAIL a.test.mjs > bad')
      expect(success).toBe(false)
      // A parser may read it all the same; the failure is then in the report.
      expect(raw?.text ?? failures[0]?.test_name).toContain('bad')
    }
  })
})

describe('a report of tsc', () => {
  it('holds the explanations of errors with colours in their messages', () => {
    const output = `\u001b[96msrc/r.ts\u001b[0m:\u001b[93m2\u001b[0m:\u001b[93m34\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2322: \u001b[0mType 'number' is not assignable to type 'string'.

\u001b[7m2\u001b[0m export const p: P = { a: 1, b: { c: 2 } }
\u001b[7m \u001b[0m \u001b[91m                                 ~\u001b[0m

  \u001b[96msrc/r.ts\u001b[0m:\u001b[93m1\u001b[0m:\u001b[93m31\u001b[0m
    \u001b[7m1\u001b[0m interface P { a: number; b: { c: string } }
    \u001b[7m \u001b[0m \u001b[96m                              ~\u001b[0m
    The expected type comes from property 'c'.

src/r.ts:10:3 - error TS2769: No overload matches this call.
  The last overload gave the following error.
    Argument of type 'boolean' is not assignable.

10 g(true)
     ~~~~


Found 2 errors in the same file, starting at: src/r.ts:2
`
    expect(readTscResults({ output, exitCode: 2 }, workspace)).toEqual({
      success: false,
      summary: { errors: 2, warnings: 0 },
      errors: [
        {
          ...{ file: 'src/r.ts', line: 2, column: 34, code: 'TS2322' },
          message:
            "Type 'number' is not assignable to type 'string'.\nsrc/r.ts:1:31\nThe expected type comes from property 'c'.",
        },
        {
          ...{ file: 'src/r.ts', line: 10, column: 3, code: 'TS2769' },
          message:
            "No overload matches this call.\nThe last overload gave the following error.\nArgument of type 'boolean' is not assignable.",
        },
      ],
    })
  })

  it('has the errors of all projects, and passes on what a build says beside', () => {
    const output = `error TS5083: Cannot read file '/workspace/gone/tsconfig.json'.
base/i (2).ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.
[9:03:11 AM] Projects in this build:
    * base/tsconfig.json
`
    const { errors, raw } = readTscResults({ output, exitCode: 1 }, workspace)
    expect(errors.map(({ file, code }) => [file, code])).toEqual([
      [undefined, 'TS5083'],
      ['base/i (2).ts', 'TS2322'],
    ])
    expect(raw?.text).toContain('[…] Projects in this build')
  })
})

describe('a report of vite', () => {
  const build = (error: string) =>
    readViteResults(
      {
        output: `vite v6.4.6 building for production...\n✗ Build failed in 85ms\nerror during build:\n${error}`,
        exitCode: 1,
      },
      workspace,
    )
  const stack = '    at run (file:///checkout/node_modules/vite/dist/node/chunks/dep-x.js:1:2)\n'

  it.each(
    tableOf<[string, string, Record<string, unknown>[] | Record<string, string>[]][]>(
      import.meta.url,
      'placeMessage',
    ),
  )('has the place and the message of %s', (_, error, errors) => {
    const report = build(`${error}${stack}`)
    expect(report.errors).toEqual(errors)
    expect(report.summary.errors).toBe(errors.length)
    expect(report.raw).toBeUndefined()
  })
})
