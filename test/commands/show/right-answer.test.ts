import { expect, it } from 'vitest'
import { rightAnswerText } from '../../../src/commands/show/right-answer.ts'
import { makeTask } from '../../../src/suites/make-task.ts'
import { tableOf } from '../../helpers/house/tables.ts'

interface Stated {
  graders: object[]
  rule?: string
  solution?: { answer?: string; files?: Record<string, string> }
}

const taskOf = ({ graders, rule, solution }: Stated) =>
  makeTask({
    ...{ suite: 's', instruction: 'Q?', files: {}, checks: {}, origin: 's' },
    spec: { id: 't', title: 'T', output: 'answer', graders, ...(rule && { rule }) } as never,
    hidden: { tests: {}, ...(solution && { solution }) },
  })

it.each(tableOf<[string, Stated][]>(import.meta.url, 'stated'))(
  'the right answer of %s is what its graders compare with, or its reference',
  (_, stated) => {
    const task = taskOf(stated)
    const { ref, digest } = task
    expect(rightAnswerText(task, { tasks: [{ ref, digest }] }, {})).toMatchSnapshot()
  },
)

it('a task that is gone, or that has changed since the run, is named as such', () => {
  expect(rightAnswerText(undefined, { tasks: [] }, {})).toMatch(/^Right answer: unknown/)
  const task = taskOf({ graders: [{ kind: 'exact', answer: 'Ada' }] })
  const tasks = [{ ref: task.ref, digest: 'another' }]
  expect(rightAnswerText(task, { tasks }, {})).toMatch(
    /as it is now: it has changed since this run\n {2}\| Ada$/,
  )
})

it('a long reference is shortened, and whole if all is wanted', () => {
  const answer = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n')
  const task = taskOf({
    graders: [{ kind: 'rubric', criteria: [{ name: 'a', text: 'A.' }] }],
    solution: { answer },
  })
  const tasks = [{ ref: task.ref, digest: task.digest }]
  expect(rightAnswerText(task, { tasks }, {})).toContain('lines left out]')
  expect(rightAnswerText(task, { tasks }, { full: true })).toContain('line 30\n')
})
