import { lieForms } from '../../helpers/graders/lies.ts'

/** Tests that try every form of assertion on every value that a solution makes. */
export const tests = `import { test } from 'node:test'
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
