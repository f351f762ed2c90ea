import { expect, it } from 'vitest'
import { nameTasks } from '../../src/recorded/name-tasks.ts'
import { answerTask } from '../helpers/agents/agent-request.ts'

const task = (ref: string, instruction: string, files: Record<string, string> = {}) => {
  const like = answerTask()
  return { ...like, ref, instruction, files, spec: { ...like.spec, id: ref.split('/')[1] as string } }
}
const named = nameTasks([
  task('bbh/logic-1', 'True or False is'),
  task('bbh/logic-2', 'not False is'),
  task('bbh/logic-3', 'not not False is'),
  task('humaneval/HumanEval-0', 'Complete it.', { 'solution.py': 'def add(a, b):\n    pass\n' }),
  task('twice/a', 'Same?'),
  task('twice/b', 'Same?'),
])

it.each([
  ['by its name here', 'bbh/logic-2', undefined, { ref: 'bbh/logic-2', by: 'id' }],
  ['by its id', 'logic-2', undefined, { ref: 'bbh/logic-2', by: 'id' }],
  ['by an id with other signs', 'HumanEval/0', undefined, { ref: 'humaneval/HumanEval-0', by: 'id' }],
  [
    'by its prompt, where ids are counted from 0',
    'logic-1',
    'Q: not False is',
    { ref: 'bbh/logic-2', by: 'prompt' },
  ],
  [
    'by the last question of a prompt',
    '77',
    'Q: True or False is\nA: True.\n\nQ: not  False is',
    { ref: 'bbh/logic-2', by: 'prompt' },
  ],
  [
    'by the longest question that ends the prompt',
    '77',
    'Q: not not False is',
    { ref: 'bbh/logic-3', by: 'prompt' },
  ],
  ['by its file', 'x', 'Write it.\ndef add(a, b):\n    pass', { ref: 'humaneval/HumanEval-0', by: 'prompt' }],
  ['by its id among equal questions', 'a', 'Same?', { ref: 'twice/a', by: 'prompt' }],
  ['not, if several fit', 'x', 'Same?', { why: 'several' }],
  ['not, if the prompt is that of no task', 'logic-1', 'Something else.', { why: 'other-prompt' }],
  ['not, if nothing fits', 'x', 'Something else.', { why: 'unknown' }],
])('a task of a source is found %s', (_, id, prompt, expected) => {
  expect(named(id, prompt)).toEqual(expected)
})
