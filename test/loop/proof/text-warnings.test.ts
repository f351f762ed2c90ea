import { expect, it } from 'vitest'
import { textWarnings } from '../../../src/loop/proof/join-rounds.ts'
import { type Sample, sampleTask } from '../../helpers/runs/sample-task.ts'

const warnings = (sample: Sample, instruction = 'Do it.') =>
  textWarnings({ ...sampleTask(sample), instruction }).map(({ kind }) => kind)

const question = (answer: string): Sample => ({
  spec: { output: 'answer', editable: [], graders: [{ kind: 'exact' }] },
  solution: { answer },
})

it('a hidden test that is equal to a visible one is named', () => {
  expect(warnings({ checks: { 'a.mjs': 'test()' }, tests: { 'b.mjs': 'test()\n' } })).toEqual(['seen-test'])
  expect(warnings({ checks: { 'a.mjs': 'test()' }, tests: { 'b.mjs': 'other()' } })).toEqual([])
})

it.each([
  ['Paris', 'Is it Paris or Rome?', ['seen-answer']],
  ['paris', 'Is it Paris or Rome?', ['seen-answer']],
  ['Par', 'Is it Paris or Rome?', []],
  ['10', 'Ten of 10 are here.', []],
])('the answer %j in %j', (answer, instruction, expected) => {
  expect(warnings(question(answer), instruction)).toEqual(expected)
})

it('a line of the solution in the instruction is named, but not one that the start has', () => {
  const line = 'return text.split(",").map(Number)'
  const sample = { solution: { files: { 'src/a.mjs': `x\n  ${line}\n` } } }
  expect(warnings(sample, `Write:\n${line}`)).toEqual(['seen-solution'])
  expect(warnings({ ...sample, files: { 'src/a.mjs': line } }, `Write:\n${line}`)).toEqual([])
})
