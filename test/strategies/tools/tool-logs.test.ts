import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { BuildResults, TestResults } from '../../../src/schema/stage/tool-reports.ts'
import { readTscResults, readViteResults } from '../../../strategies/tools/build-results.ts'
import { measureSaving } from '../../../strategies/tools/output-text.ts'
import { readTestResults, type TestTool } from '../../../strategies/tools/test-results.ts'

const root = join(packageRoot(), 'fixtures/tool-logs')

/** `#` in a text, or as the line, stands for each number of the range. */
interface Range {
  from: number
  to: number
  step: number
}
type ExpectedTest = [file: string, name: string, line: number | null, range?: Range]
type ExpectedError = [
  file: string | null,
  line: number | '#' | null,
  column: number | null,
  code: string | null,
  range?: Range,
]

/** What a person wrote beside a log: every failure, and texts that must be passed on raw, if anything must be. */
interface Expected {
  summary: object
  failed?: ExpectedTest[]
  errors?: ExpectedError[]
  raw?: string[]
}

interface ToolLog {
  name: string
  tool: TestTool | 'tsc' | 'vite'
  exitCode: number | null
  output: string
  junit: string | undefined
  expected: Expected
}

const numbers = ({ from, to, step }: Range) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/** Returns the failed tests of a list as `file|name|line`, ranges written out. */
const expectedTests = (failed: readonly ExpectedTest[]) =>
  failed.flatMap(([file, name, line, range]) =>
    (range ? numbers(range) : ['#']).map((one) => [file, name.replace('#', `${one}`), line ?? ''].join('|')),
  )

/** Returns the errors of a list as `file|line|column|code`, ranges written out. */
const expectedErrors = (errors: readonly ExpectedError[]) =>
  errors.flatMap(([file, line, column, code, range]) =>
    (range ? numbers(range) : [line]).map((one) =>
      [file, one, column, code].map((part) => part ?? '').join('|'),
    ),
  )

/** Reads all logs of fixtures/tool-logs. */
function readToolLogs(): ToolLog[] {
  return readdirSync(root).map((name) => {
    const read = (file: string) => readFileSync(join(root, name, file), 'utf8')
    return {
      ...(JSON.parse(read('log.json')) as Pick<ToolLog, 'tool' | 'exitCode'>),
      name,
      output: read('output.txt'),
      junit: existsSync(join(root, name, 'junit.xml')) ? read('junit.xml') : undefined,
      expected: JSON.parse(read('expected.json')) as Expected,
    }
  })
}

/** Returns the report of a log of a test runner. */
const testReport = (log: ToolLog): TestResults =>
  readTestResults({ ...log, tool: log.tool as TestTool, workspace: '/workspace' })

/** Returns the report of a log of a build checker. */
const buildReport = (log: ToolLog): BuildResults =>
  (log.tool === 'tsc' ? readTscResults : readViteResults)(log, '/workspace')

const logs = readToolLogs()
const ofTests = logs.filter(({ junit, expected }) => junit !== undefined || expected.failed !== undefined)
const ofBuilds = logs.filter(({ expected }) => expected.errors !== undefined)

it('the logs are of all tools, at least 12, and each belongs to one kind', () => {
  expect(ofTests.length + ofBuilds.length).toBe(logs.length)
  expect(logs.length).toBeGreaterThanOrEqual(12)
  expect(new Set(logs.map(({ tool }) => tool))).toEqual(
    new Set(['vitest', 'node:test', 'pytest', 'tsc', 'vite']),
  )
})

describe('a report of tests', () => {
  it.each(ofTests)('has every failed test of $name and no other', (log) => {
    const report = testReport(log)
    const found = report.failures.map(({ file, test_name, line }) => [file, test_name, line ?? ''].join('|'))
    expect(found.sort()).toEqual(expectedTests(log.expected.failed ?? []).sort())
    expect(report.summary).toEqual(log.expected.summary)
    expect(report.failures.filter(({ error }) => error === '')).toEqual([])
    expect(report.success).toBe(false)
    expect(TestResults.parse(report)).toEqual(report)
  })
})

describe('a report of a build', () => {
  it.each(ofBuilds)('has every error of $name and no other', (log) => {
    const report = buildReport(log)
    const found = report.errors.map(({ file, line, column, code }) =>
      [file, line, column, code].map((part) => part ?? '').join('|'),
    )
    expect(found.sort()).toEqual(expectedErrors(log.expected.errors ?? []).sort())
    expect(report.summary).toEqual(log.expected.summary)
    expect(report.errors.filter(({ message }) => message === '')).toEqual([])
    expect(report.success).toBe(log.exitCode === 0)
    expect(BuildResults.parse(report)).toEqual(report)
  })
})

it.each(logs)('what is not understood of $name is passed on raw, with a reason; else nothing is', (log) => {
  const { raw } = log.expected.errors ? buildReport(log) : testReport(log)
  expect(raw === undefined).toBe(log.expected.raw === undefined)
  for (const text of log.expected.raw ?? []) expect(raw?.text).toContain(text)
  if (raw) expect(raw.reason).not.toBe('')
})

it('the median saving of logs with at most 3 failures in at least 50 tests is at least 70%', () => {
  const shares = ofTests.flatMap((log) => {
    const report = testReport(log)
    const { failed, total } = report.summary
    const isOne = failed >= 1 && failed <= 3 && total >= 50
    return isOne ? [measureSaving(log.output, report).share ?? Number.NaN] : []
  })
  shares.sort((a, b) => a - b)
  expect(shares.length).toBeGreaterThanOrEqual(6)
  const middle = (shares.length - 1) / 2
  const median = ((shares[Math.floor(middle)] as number) + (shares[Math.ceil(middle)] as number)) / 2
  expect(median).toBeGreaterThanOrEqual(0.7)
})
