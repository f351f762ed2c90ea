import { expect, it } from 'vitest'
import { agentThatReplies, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const files = answerTask({ output: 'files', editable: ['src/*.txt'], graders: [] }, { 'src/a.txt': '1\n' })
const block = (content: string) => `FILE: src/a.txt\n\`\`\`\n${content}\n\`\`\`\n`
const inTurn = (times: number) =>
  strategyOf(async ({ ask }) => {
    for (let i = 0; i < times; i++) await ask('solver', 'Go.')
    return { stopReason: 'done' }
  })
const play = (replies: readonly string[], change: Partial<Parameters<typeof playTrial>[0]> = {}) =>
  playTrial({
    ...{ agent: agentThatReplies(...replies), strategy: inTurn(replies.length), task: files },
    ...change,
  })

it('a record counts the asks that had work before them, and those that changed its files', async () => {
  const { record, folder } = await play([block('2'), block('2'), 'The files stay.', block('3')])
  expect(record).toMatchObject({ iterations: 4, revisions: { asks: 3, changed: 1 } })
  const replayed = await play(['', '', '', ''], { folder, replay: true })
  expect(replayed.record.revisions).toEqual(record.revisions)
})

it('of an answer the final answer counts, not the words around it', async () => {
  const { record } = await play(['I think.\nAnswer: 4', 'Once more.\nAnswer: 4', 'No.\nAnswer: 5'], {
    task: answerTask(),
  })
  expect(record.revisions).toEqual({ asks: 2, changed: 1 })
})

it('attempts side by side revise nothing, and what follows the adopted one does', async () => {
  const strategy = strategyOf(async ({ ask, branch, workspace }) => {
    const made = await Promise.all(
      ['a', 'b'].map((name) =>
        branch(name, async (inner) => {
          await inner.ask('solver', name)
          return inner.workspace
        }),
      ),
    )
    if (made[1]) workspace.adopt(made[1])
    await ask('solver', 'Again.')
    return { stopReason: 'done' }
  })
  const { record } = await play([block('2'), block('2'), block('3')], { strategy })
  expect(record.revisions).toEqual({ asks: 1, changed: 1 })
  expect((await play([block('2')])).record).toHaveProperty('revisions', undefined)
})
