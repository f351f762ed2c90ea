import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import type { BuildResults, TestResults } from '../../../src/schema/stage/tool-reports.ts'
import { readTscResults, readViteResults } from '../../../strategies/tools/build-results.ts'
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
export interface Expected {
  summary: object
  failed?: ExpectedTest[]
  errors?: ExpectedError[]
  raw?: string[]
}

export interface ToolLog {
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
export const expectedTests = (failed: readonly ExpectedTest[]) =>
  failed.flatMap(([file, name, line, range]) =>
    (range ? numbers(range) : ['#']).map((one) => [file, name.replace('#', `${one}`), line ?? ''].join('|')),
  )

/** Returns the errors of a list as `file|line|column|code`, ranges written out. */
export const expectedErrors = (errors: readonly ExpectedError[]) =>
  errors.flatMap(([file, line, column, code, range]) =>
    (range ? numbers(range) : [line]).map((one) =>
      [file, one, column, code].map((part) => part ?? '').join('|'),
    ),
  )

/** Reads all logs of fixtures/tool-logs. */
export function readToolLogs(): ToolLog[] {
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
export const testReport = (log: ToolLog): TestResults =>
  readTestResults({ ...log, tool: log.tool as TestTool, workspace: '/workspace' })

/** Returns the report of a log of a build checker. */
export const buildReport = (log: ToolLog): BuildResults =>
  (log.tool === 'tsc' ? readTscResults : readViteResults)(log, '/workspace')
