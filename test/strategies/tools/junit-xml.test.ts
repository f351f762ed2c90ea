import { describe, expect, it } from 'vitest'
import { readJunitXml } from '../../../strategies/tools/junit-xml.ts'
import { readTestResults, type TestTool } from '../../../strategies/tools/test-results.ts'

const suite = (cases: string, attributes = '') =>
  `<?xml version="1.0"?><testsuites ${attributes}><testsuite name="s">${cases}</testsuite></testsuites>`
const failed = '<testcase name="bad" classname="a.test.mjs"><failure message="no"/></testcase>'
const report = (
  junit: string | undefined,
  exitCode: number | null,
  tool: TestTool = 'vitest',
  output = 'out',
) => readTestResults({ tool, junit, output, exitCode, workspace: '/workspace' })

describe('JUnit XML', () => {
  it.each([
    ['nothing', ' \n'],
    ['no XML', 'hello'],
    ['a cut-off file', suite(failed).slice(0, -30)],
    ['a file that is cut off in a failure', '<testsuites><testsuite><testcase name="a"><failure>x'],
    ['another document', '<html><body/></html>'],
    ['entities that grow', `<!DOCTYPE a [<!ENTITY a "xxxx"><!ENTITY b "&a;&a;">]>${suite('').slice(21)}`],
    [
      'an entity of a file',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${suite('&x;').slice(21)}`,
    ],
    ['100,000 open tags', '<testsuites>'.repeat(100_000)],
  ])('that is %s is unreadable', (_, xml) => {
    expect(readJunitXml(xml)).toEqual({ unreadable: expect.any(String) })
    const { success, raw } = report(xml, 0)
    expect(success).toBe(false)
    expect(raw?.reason).toMatch(/^unreadable: /)
    expect(raw?.text).toContain(xml.trim().slice(0, 50))
  })

  it('is read with CDATA, numeric entities, and names that objects have', () => {
    const xml = suite(
      '<testcase name="__proto__" classname="constructor"><failure message="a&#10;b &amp;lt; &#x41;" type="toString"><![CDATA[<raw> &amp;]]></failure></testcase>',
    )
    expect(readJunitXml(xml)).toMatchSnapshot()
    expect(report(xml, 1).failures).toEqual([
      { test_name: '__proto__', file: 'constructor', error: 'toString: a\nb &lt; A' },
    ])
  })

  it('may hold nested suites, and one suite alone', () => {
    const nested = suite(`<testsuite name="t">${failed}</testsuite>`)
    expect(readJunitXml(nested)).toMatchObject({ cases: [{ suites: ['s', 't'], name: 'bad' }] })
    expect(readJunitXml(`<testsuite name="only">${failed}</testsuite>`)).toMatchObject({
      cases: [{ name: 'bad' }],
    })
  })
})

describe('a report of tests', () => {
  const good = '<testcase name="good" classname="a.test.mjs"/>'

  it('is a success only if the runner ended well, tests ran, none failed, and all was understood', () => {
    expect(report(suite(good), 0)).toMatchObject({ success: true, failures: [] })
    expect(report(suite(good), 0).raw).toBeUndefined()
    for (const [xml, exitCode, tool] of [
      [suite(good), 1, 'vitest'],
      [suite(good), null, 'pytest'],
      [suite(''), 0, 'node:test'],
      [suite(failed), 0, 'pytest'],
      [suite(failed, 'failures="2" errors="0"'), 1, 'vitest'],
      [suite(good), 3, 'pytest'],
      [undefined, 0, 'vitest'],
    ] as const) {
      const { success, raw } = report(xml, exitCode, tool, 'what it printed')
      expect({ success, text: raw?.text }).toEqual({ success: false, text: 'what it printed' })
    }
  })

  it('passes on what Node counted and nobody found', () => {
    const xml = suite(good).replace('</testsuites>', '<!-- fail 1 --></testsuites>')
    expect(report(xml, 1, 'node:test', 'nothing is listed').raw?.reason).toMatch(/says that 1 tests failed/)
  })

  it('says how much of very long raw output it leaves out', () => {
    const { raw } = report(undefined, 1, 'vitest', `first${'x'.repeat(400_000)}last`)
    expect(raw?.text).toMatch(/^firstx+\n\[… \d+ characters left out …\]\nx+last$/)
  })

  it('finds file and class of pytest where its usual XML names neither', () => {
    const xml = suite(
      '<testcase classname="tests.test_cart.TestCart" name="test_adds"><failure message="assert 6 == 5">E  assert 6 == 5\n\ntests/test_cart.py:10: AssertionError\n\napp/cart.py:3: in total</failure></testcase>',
    )
    expect(report(xml, 1, 'pytest').failures).toEqual([
      { test_name: 'TestCart::test_adds', file: 'tests/test_cart.py', line: 10, error: 'assert 6 == 5' },
    ])
  })

  it('shortens a long message without splitting a character', () => {
    const long = `<testcase name="b" classname="f"><failure message="${'😀'.repeat(500)}"/></testcase>`
    expect(report(suite(long), 1).failures[0]?.error).toBe(`${'😀'.repeat(400)}…`)
  })
})
