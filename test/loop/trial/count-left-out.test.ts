import { expect, it } from 'vitest'
import { trialStory } from '../../../src/reports/story/story.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { agentThatReplies, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const task = answerTask({ output: 'files', editable: ['src/*.txt'], graders: [] }, { 'src/a.txt': '1\n' })
const block = (path: string, content = '2') => `FILE: ${path}\n\`\`\`\n${content}\n\`\`\`\n`
const asking = (times: number) =>
  strategyOf(async ({ ask }) => {
    for (let i = 0; i < times; i++) await ask('solver', 'Go.')
    return { stopReason: 'done' }
  })
const play = (replies: readonly string[], change: Partial<Parameters<typeof playTrial>[0]> = {}) =>
  playTrial({ agent: agentThatReplies(...replies), strategy: asking(replies.length), task, ...change })

it('a record counts refused paths and changes of files that may not change, over all replies', async () => {
  const { record, steps, folder } = await play([
    block('../out.txt') + block('src/a.txt'),
    block('other.txt') + block('src/b.txt') + block('.git/config'),
  ])
  expect(record.leftOut).toEqual({ refused: 2, notCounted: 1 })
  expect(trialStory({ record, steps })).toMatch(
    /^Not counted {2}2 refused paths and 1 change of a file that may not change$/m,
  )
  const replayed = await play(['', ''], { folder, replay: true })
  expect(replayed.record.leftOut).toEqual(record.leftOut)
})

it('a record has no such count where all changes counted, and of a task that wants an answer', async () => {
  const { record, steps } = await play([block('src/a.txt')])
  expect(record).toHaveProperty('leftOut', undefined)
  expect(trialStory({ record, steps })).not.toContain('Not counted')
  expect((await play([block('x.txt')], { task: answerTask() })).record.leftOut).toBeUndefined()
})

it('all paths of a long list are counted', async () => {
  const reply = Array.from({ length: 130 }, (_, i) => block(`../${i}.txt`)).join('')
  const { record, steps } = await play([reply])
  expect(steps.find((step) => step.kind === 'ask')?.changeSet?.rejected).toHaveLength(101)
  expect(record.leftOut).toEqual({ refused: 130, notCounted: 0 })
})

it('what an agent writes with a tool is counted, too', async () => {
  const agent = agentThatCalls([[['write', { path: 'other.txt', content: 'x' }]]], { virtualTime: true })
  const { record } = await playTrial({ agent, strategy: asking(1), task, tools: toolsOf() })
  expect(record.leftOut).toEqual({ refused: 0, notCounted: 1 })
})
