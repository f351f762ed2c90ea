import { expect, it } from 'vitest'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { lieForms, lyingValues } from '../../helpers/graders/lies.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

/** Tests that try every form of assertion on every value that a solution makes. */
const tests = `import { test } from 'node:test'
import loose from 'node:assert'
import assert from 'node:assert/strict'
import { Any, kinds, make, methods } from '../src/sum.mjs'
${lieForms}
const passes = (kind, form, value) => Promise.resolve().then(() => forms[kind][form](value)).then(() => true, () => false)
for (const [kind, value] of Object.entries(right)) for (const form of Object.keys(forms[kind]))
  test('right ' + kind + ', ' + form, async () => assert.ok(await passes(kind, form, value)))
const names = Object.keys(kinds)
test('there are some', () => assert.ok(names.length >= 50))
for (const name of names) test(name, async () => {
  const agreeing = []
  for (const form of Object.keys(forms[kinds[name]]))
    if (!methods.includes(name) || safe.includes(form)) if (await passes(kinds[name], form, () => make(name))) agreeing.push(form)
  assert.equal(agreeing.join(', '), '')
})
test('a class that knows all as its own', () => assert.throws(() => assert.throws(() => { throw new TypeError('x') }, Any)))`

it('tests reject every deceptive value, in any form of assertion', async () => {
  const spec = { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1000, timeoutMs: 20_000 }] }
  const task = codeTask({ tests: { 'a.test.mjs': tests }, spec })
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': lyingValues } })
  // All tests pass: one for each lie, and one for each form with a right answer.
  expect(scores[0]?.reason).toMatch(/^([12]\d\d) of 1000 tests passed\. \1 of 1000 tests ran$/)
})
