import { expect, it } from 'vitest'
import { trialStory } from '../../../src/reports/story/story.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'
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

it('a score that is not full, and the story, say what of the replies was read with doubt', async () => {
  const graded = codeTask({ spec: { output: 'files', editable: ['src/*.mjs'] } })
  const reasonOf = async (replies: readonly string[]) => {
    const { record, steps } = await play(replies, { task: graded })
    return { reason: record.scores[0]?.reason, story: trialStory({ record, steps }) }
  }
  const remark = await reasonOf([block('src/sum.mjs (new version)', 'export const add = 1')])
  expect(remark.reason).toMatch(/; "src\/sum\.mjs" was named "src\/sum\.mjs \(new version\)"$/)
  expect(remark.story).toContain('    note: "src/sum.mjs" was named "src/sum.mjs (new version)"')
  const wanted =
    'a block names no file: write the line `FILE: path` directly before a block with the whole file'
  expect((await reasonOf(['So:\n```\n2\n```\n'])).reason).toMatch(
    new RegExp(`^no file was changed; .*; ${wanted}$`),
  )
  // Another reply changed the file.
  expect((await reasonOf(['So:\n```\n2\n```\n', block('src/sum.mjs')])).reason).not.toContain(wanted)
})
