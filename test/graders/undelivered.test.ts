import { describe, expect, it } from 'vitest'
import { undeliveredText } from '../../src/graders/grade.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { codeTask, rightSum } from '../helpers/runs/sample-task.ts'
import { agentThatReplies, playTrial, strategyOf } from '../helpers/runs/trial.ts'

const files = codeTask()
const code = codeTask({ spec: { output: 'function', entryPoint: 'add', editable: ['src/sum.mjs'] } })

describe('where nothing was delivered, the reason of the tests', () => {
  it.each([
    ['of a function begins with no code', code, {}, 'no code in the reply; 0 of 3 tests passed'],
    ['of files begins with no file', files, {}, 'no file was changed; 0 of 3 tests passed'],
    [
      'names a changed file that does not count',
      files,
      { 'package.json': '{}' },
      'no file was changed; not counted: "package.json" is not a file that may change; 0 of 3 tests passed',
    ],
  ])('%s', async (_, task, left, reason) => {
    const { scores } = await gradeLeft(task, { files: left })
    expect(scores[0]).toMatchObject({ value: 0, reason })
  })

  it('names what was refused of the reply', async () => {
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'one')
      return { stopReason: 'done' }
    })
    const agent = agentThatReplies('FILE: ../x.mjs\n```\nexport const x = 1\n```\n')
    const { record } = await playTrial({ agent, strategy, task: files })
    expect(record.scores[0]?.reason).toBe(
      'no file was changed; refused: "../x.mjs" leads out of the workspace, or no file may be named so; 0 of 3 tests passed',
    )
  })
})

it('a delivery keeps the reasons of its tests', async () => {
  const wrong = rightSum.replace('+', '-')
  const { scores } = await gradeLeft(code, { files: { 'src/sum.mjs': wrong } })
  expect(scores[0]?.reason).toMatch(/^1 of 3 tests passed\. adds: /)
})

it('of many paths the first three are named', () => {
  const refused = ['../a', '../b', '../b', '../c', '../d', '../e'].map((path) => ({
    path,
    reason: 'leads out',
  }))
  expect(undeliveredText(files, files.files, files.files, refused)).toBe(
    'no file was changed; refused: "../a" leads out; refused: "../b" leads out; refused: "../c" leads out; 2 more',
  )
})
