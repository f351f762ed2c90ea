import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { TestGenResults } from '../../../src/schema/stage/tool-reports.ts'
import { runTool, writeWorkspace } from './run-tool.ts'

const module = `export const add = (a, b = 2) => a + b
export async function load({ path }, ...more) { return path + more.length }
export default class Cart { constructor(items) { this.items = items } total() { return 0 } #hidden() {} _own() {} get size() { return 1 } }
export { add as plus, add as 'a "name"' }
export * from './other.mjs'
export * as everything from './other.mjs'
export const { x, y: [z] } = { x: 1, y: [2] }
export let later
`
const other = 'export const other = 1\nexport const plus = 3\nexport default 3\n'

/** A module with all kinds of exports, and one that it passes on. */
export const moduleFiles = {
  'src/shop.mjs': module,
  'src/other.mjs': other,
  'vitest.config.mjs': 'export default {}\n',
}

/** Generates tests and runs them; returns the report of the generator with the text that it wrote. */
export async function generateTests(
  files: Record<string, string>,
  target: string,
  framework: string,
  packages = false,
) {
  const workspace = writeWorkspace(files, packages)
  const made = await runTool(
    'test-generator',
    [`--target-path=${target}`, '--framework', framework],
    workspace,
  )
  expect(TestGenResults.parse(made.report)).toMatchObject({ success: true, target, framework })
  const ran = await runTool('test-runner', ['--runner', framework], workspace)
  expect(ran.report.failures).toEqual([])
  expect(ran).toMatchObject({ exitCode: 0, report: { success: true } })
  expect(ran.report.summary.total).toBe(made.report.summary.tests)
  return { ...made.report, text: readFileSync(join(workspace, made.report.test_file), 'utf8') }
}
