import { expect, it } from 'vitest'
import { runTests } from '../../../src/graders/test-run/run-tests.ts'
import type { TestJob } from '../../../src/graders/test-run/test-job.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

/** A kind of value: makers of a right and of a wrong one, and a body that accepts only the right one, made by `v()`. */
type ValueRow = readonly [right: string, wrong: string, body: string]

const rows = tableOf<Record<string, [right: string, wrong: string, body?: string]>>(
  import.meta.url,
  'valueRows',
)

/** By name, each kind of value that tests in their own process treat as in one process. */
const valueRows = Object.fromEntries(
  Object.entries(rows).map(([name, [right, wrong, body]]): [string, ValueRow] => [
    name,
    [right, wrong, body ?? `assert.deepStrictEqual(v(), ${right})`],
  ]),
)

const names = Object.keys(valueRows)
const makers = (at: 0 | 1) =>
  names.map((name) => `${JSON.stringify(name)}: () => (${valueRows[name]?.[at]}),`).join('\n')
const solution = `const right = {\n${makers(0)}\n}\nconst wrong = {\n${makers(1)}\n}
export const make = (which, name) => (which === 'right' ? right : wrong)[name]()`
const tests = `import test from 'node:test'
import assert from 'node:assert/strict'
import * as x from '../src/sum.mjs'
for (const which of ['right', 'wrong']) {
${names
  .map((name) => {
    const quoted = JSON.stringify(name)
    return `test(which + ' ' + ${quoted}, async () => { const v = () => x.make(which, ${quoted}); ${valueRows[name]?.[2]} })`
  })
  .join('\n')}
}`

/** Runs all rows; returns the verdicts by test. */
async function verdicts(folder: 'checks' | 'tests') {
  const task = codeTask()
  const [spec] = task.spec.graders as TestJob['spec'][]
  const job = {
    task,
    spec: spec as TestJob['spec'],
    files: { 'src/sum.mjs': solution },
    folder,
    tests: { 'a.test.mjs': tests },
  }
  const { results, fault } = await runTests({
    ...job,
    run: spawnUnsandboxed,
    signal: new AbortController().signal,
  })
  expect(fault).toBeUndefined()
  return Object.fromEntries(results.map(({ name, ok, message }) => [name, ok ? 'passed' : message]))
}

it('tests in their own process accept and reject the same values as tests in one process', {
  timeout: 60_000,
}, async () => {
  const [one, two] = [await verdicts('checks'), await verdicts('tests')]
  expect(names.length).toBeGreaterThanOrEqual(60)
  const passed = (all: Record<string, string>) => Object.keys(all).filter((name) => all[name] === 'passed')
  const failing = (all: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(all).filter(([name, said]) => name.startsWith('right') !== (said === 'passed')),
    )
  expect({ one: failing(one), two: failing(two) }).toEqual({ one: {}, two: {} })
  expect(Object.keys(two)).toHaveLength(2 * names.length)
  expect(passed(two)).toEqual(passed(one))
})
