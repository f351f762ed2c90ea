import { describe, expect, it } from 'vitest'
import { tests } from '../../graders/test-run/lies-scenario.ts'
import { cheatsOf } from '../../helpers/graders/cheats.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { lyingValues } from '../../helpers/graders/lies.ts'
import { passes } from '../../helpers/machine/answers.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

describe('a solution that takes over the channel to the tests', { timeout: 60_000 }, () => {
  it('fails with each of a sample of cheats', async () => {
    const graders = [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 2000 }]
    const hurried = codeTask({ spec: { graders } })
    const all = Object.entries(cheatsOf(hurried)).filter((_, at) => at % 12 === 0)
    expect(all.length).toBeGreaterThan(2)
    for (const [name, files] of all) expect((await gradeLeft(hurried, { files })).passed, name).toBe(false)
  })
})

it('tests reject every deceptive value, in any form of assertion', async () => {
  const spec = { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1000, timeoutMs: 20_000 }] }
  const task = codeTask({ tests: { 'a.test.mjs': tests }, spec })
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': lyingValues } })
  // All tests pass: one for each lie, and one for each form with a right answer.
  expect(scores[0]?.reason).toMatch(/^([12]\d\d) of 1000 tests passed\. \1 of 1000 tests ran$/)
})

const runaway = `${'a'.repeat(40)}!`

it('a forbidden pattern with catastrophic backtracking ends on a reply of a model', async () => {
  expect(await passes({ kind: 'pattern', require: ['!'], forbid: ['(a+)+$'] }, runaway)).toBe(false)
})

it('an extraction pattern with catastrophic backtracking ends on a reply of a model', async () => {
  const grader = { kind: 'exact', extract: ['(?:(a+)+$)'] }
  expect(await passes(grader, `${runaway}\nAnswer: 7`, '7')).toBe(true)
})
