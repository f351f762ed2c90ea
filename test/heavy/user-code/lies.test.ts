import { expect, it } from 'vitest'
import { tests } from '../../graders/test-run/lies-scenario.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { lyingValues } from '../../helpers/graders/lies.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

it('tests reject every deceptive value, in any form of assertion', async () => {
  const spec = { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1000, timeoutMs: 20_000 }] }
  const task = codeTask({ tests: { 'a.test.mjs': tests }, spec })
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': lyingValues } })
  // All tests pass: one for each lie, and one for each form with a right answer.
  expect(scores[0]?.reason).toMatch(/^([12]\d\d) of 1000 tests passed\. \1 of 1000 tests ran$/)
})
