import { expect, it } from 'vitest'
import type { AgentReply } from '../../../src/agents/agent.ts'
import { trialStory } from '../../../src/reports/story/story.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const asking = (times: number) =>
  strategyOf(async ({ ask }) => {
    for (let i = 0; i < times; i++) await ask('solver', 'Go.')
    return { stopReason: 'done', answer: '42' }
  })

/** Plays a trial whose agent gives these replies in turn. */
function play(
  replies: readonly Partial<AgentReply>[],
  change: Partial<Parameters<typeof playTrial>[0]> = {},
) {
  const left = [...replies]
  const agent = agentOf(() => ({ text: '42', ...left.shift() }), { name: 'openai:gpt-5' })
  return playTrial({ agent, strategy: asking(replies.length), ...change })
}

it('a record counts replies that did not end by themselves, and a replay counts the same', async () => {
  const replies = [
    { finish: 'length' },
    { finish: 'stop' },
    { finish: 'length' },
    { finish: 'tool-call' },
    {},
  ] as const
  const { record, steps, folder } = await play(replies)
  expect(record.finishes).toEqual({ length: 2, 'tool-call': 1 })
  const story = trialStory({ record, steps })
  expect(story.match(/ended by the output limit \(length\)/g)).toHaveLength(2)
  expect(story).toMatch(
    /^Replies {6}2 of 5 calls were cut off by the output limit \(length\), 1 called a tool that was not offered/m,
  )
  const replayed = await play(replies, { folder, replay: true })
  expect(replayed.record.finishes).toEqual(record.finishes)
})

it('a record counts calls that another model answered than was asked for', async () => {
  const replies = [{ model: 'gpt-5-mini' }, { model: 'gpt-5-2025-08-07' }, { model: 'gpt-5-mini' }, {}]
  const { record, steps, folder } = await play(replies)
  expect(record.otherModels).toEqual([{ agent: 'openai:gpt-5', model: 'gpt-5-mini', calls: 2 }])
  const story = trialStory({ record, steps })
  expect(story.match(/answered by gpt-5-mini, which was not asked for/g)).toHaveLength(3)
  expect((await play(replies, { folder, replay: true })).record.otherModels).toEqual(record.otherModels)
})

it('a record has the models that answered, without calls that several answered, and a replay has the same', async () => {
  const replies = [
    { model: 'gpt-5-2025-08-07' },
    { model: 'gpt-5' },
    { model: 'gpt-5-2025-08-07' },
    { models: [{ model: 'gpt-5' }, { model: 'gpt-5-nano' }] as AgentReply['models'] & object },
    {},
  ]
  const { record, folder } = await play(replies)
  const agent = 'openai:gpt-5'
  const served = [
    { agent, model: 'gpt-5', calls: 1 },
    { agent, model: 'gpt-5-2025-08-07', calls: 2 },
  ]
  expect(record.served).toEqual(served)
  expect((await play(replies, { folder, replay: true })).record.served).toEqual(served)
  expect((await play([{}])).record).toHaveProperty('served', undefined)
})

it('a record has neither where there is nothing to count', async () => {
  const { record, steps } = await play([{ finish: 'stop', model: 'gpt-5' }, {}])
  expect(record).toHaveProperty('finishes', undefined)
  expect(record).toHaveProperty('otherModels', undefined)
  expect(trialStory({ record, steps })).not.toMatch(/finish|^Replies|^Models/m)
})
