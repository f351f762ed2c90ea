import { expect, it } from 'vitest'
import { gradeLeft } from '../helpers/grader-contract.ts'
import { lieForms, lyingValues } from '../helpers/lies.ts'
import { codeTask } from '../helpers/sample-task.ts'

const tests = `import { test } from 'node:test'
import loose from 'node:assert'
import assert from 'node:assert/strict'
import { Any, kinds, make, methods } from '../src/sum.mjs'
${lieForms}
const told = (kind, form, value) => Promise.resolve().then(() => forms[kind][form](value)).then(() => true, () => false)
for (const [kind, value] of Object.entries(right)) for (const form of Object.keys(forms[kind]))
  test('right ' + kind + ', ' + form, async () => assert.ok(await told(kind, form, value)))
const names = Object.keys(kinds)
test('there are some', () => assert.ok(names.length >= 50))
for (const name of names) test(name, async () => {
  const agreeing = []
  for (const form of Object.keys(forms[kinds[name]]))
    if (!methods.includes(name) || safe.includes(form)) if (await told(kinds[name], form, () => make(name))) agreeing.push(form)
  assert.equal(agreeing.join(', '), '')
})
test('a class that knows all as its own', () => assert.throws(() => assert.throws(() => { throw new TypeError('x') }, Any)))`

it('takes no value that lies for a right answer, in any form of assertion', async () => {
  const spec = { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1000, timeoutMs: 20_000 }] }
  const task = codeTask({ tests: { 'a.test.mjs': tests }, spec })
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': lyingValues } })
  // As many passed as ran: one for each lie, and one for each form with a right answer.
  expect(scores[0]?.reason).toMatch(/^(1\d\d) of 1000 tests passed\. \1 of 1000 tests ran$/)
})
