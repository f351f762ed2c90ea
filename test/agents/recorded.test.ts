import { expect, it } from 'vitest'
import type { RecordedReplies } from '../../src/agents/agent.ts'
import { createAgents } from '../../src/agents/registry.ts'
import { loadProfile } from '../../src/agents/simulated/load-profile.ts'
import { lazySandbox } from '../../src/sandbox/open-sandbox.ts'
import type { RecordedReply } from '../../src/schema/ledger/recorded-replies.ts'
import { UserError } from '../../src/text/errors.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'

const facts = {
  ...{ model: 'm', source: 'a/b', licence: 'MIT', date: '2025', prompts: 'source' as const, samples: 2 },
}
const known: Readonly<Record<string, Partial<RecordedReply>>> = {
  'test/sum 1': { reply: 'Answer: 3', finish: 'stop' },
  'test/sum 2': { reply: '', tokens: { input: 100, output: 0 } },
  'test/sum 3': { reply: 'Answer: 4', tokens: { input: null, output: null } },
}
const find: RecordedReplies['find'] = (task, sample) => {
  const reply = known[`${task} ${sample}`]
  return reply && { task, sample, reply: '', tokens: { input: 1_000_000, output: 500_000 }, ...reply }
}

async function agentOf(readRecorded: () => Promise<RecordedReplies>, prices = true) {
  const name = 'recorded:m@replies'
  const agents = await createAgents(
    { '*': name },
    {
      ...{ tasks: [], profile: loadProfile('default'), sandbox: lazySandbox('none'), readRecorded },
      trySubmission: () => Promise.reject(new Error('nothing is submitted')),
      prices: prices ? { prices: { [name]: { input: 2, output: 4 } } } : undefined,
    },
  )
  const agent = agents.get(name)
  if (!agent) throw new Error('no agent')
  return agent
}
const ask = async (sample: number | undefined, prices = true) =>
  (await agentOf(async () => ({ facts, find }), prices)).ask(
    agentRequest({ sample }),
    new AbortController().signal,
  )

it('a recorded reply is given with its tokens, at the user’s price or at none', async () => {
  expect(await ask(1)).toEqual({
    ...{ text: 'Answer: 3', tokens: { input: 1_000_000, output: 500_000, cached: null } },
    ...{ costUsd: 4, listCostUsd: 4, costSource: 'file', durationMs: 0, finish: 'stop' },
  })
  expect((await ask(1, false)).costUsd).toBeNull()
  expect((await ask(3)).costUsd).toBeNull()
})

it('an empty recorded reply is empty, and one that is not there is missing and free', async () => {
  expect(await ask(2)).toMatchObject({ text: '', costUsd: 0.0002 })
  expect(await ask(4)).toMatchObject({
    ...{ text: '', costUsd: 0, tokens: { input: 0, output: 0 } },
    error: { reason: 'missing', message: 'there is no recorded reply to test/sum, sample 4' },
  })
})

it('an ask that is not of the task alone has no reply', async () => {
  expect((await ask(undefined)).error?.reason).toBe('request')
})

it('an agent with recorded replies is neither paid nor simulated, and reads its files once, when it is asked', async () => {
  let read = 0
  const agent = await agentOf(async () => {
    read++
    return { facts, find }
  })
  expect(agent).toMatchObject({ paid: false, simulated: false })
  expect(read).toBe(0)
  expect(await agent.missing?.()).toEqual([])
  await agent.ask(agentRequest({ sample: 1 }), new AbortController().signal)
  expect(read).toBe(1)
})

it('what is wrong with the files is reported before a run', async () => {
  const problem = { where: 'a.jsonl:3', what: 'is no reply', fix: 'Mend it.' }
  const agent = await agentOf(() => Promise.reject(new UserError(problem)))
  expect(await agent.missing?.()).toEqual([problem])
})
