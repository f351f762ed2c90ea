import type { Files } from '../../../src/schema/task.ts'
import { codeTask } from '../runs/sample-task.ts'
import { gradeLeft } from './grader-contract.ts'

/** Returns the reason of a solution's score by hidden tests. `bodies` are test bodies by name; they import the solution as `x`. */
export async function judgeModule(
  source: string,
  bodies: Record<string, string>,
  { path = 'src/sum.mjs', imports = '', files = {} }: { path?: string; imports?: string; files?: Files } = {},
) {
  const all = Object.entries(bodies).map(
    ([name, body]) => `test(${JSON.stringify(name)}, async (t) => {${body}\n})`,
  )
  const head = `import test from 'node:test'
import loose from 'node:assert'
import assert from 'node:assert/strict'
import * as x from '../${path}'
${imports}
`
  const task = codeTask({
    tests: { 'all.test.mjs': `${head}${all.join('\n')}` },
    files: { 'src/sum.mjs': '', [path]: '', ...files },
    spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: all.length, timeoutMs: 20_000 }] },
  })
  return (await gradeLeft(task, { files: { [path]: source } })).scores[0]?.reason
}

/** The result of `judgeModule` if every test passed. */
export const allOf = (bodies: Record<string, string>) => {
  const count = Object.keys(bodies).length
  return `${count} of ${count} tests passed`
}
