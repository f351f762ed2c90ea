import { expect, it } from 'vitest'
import { z } from 'zod'
import { addMark } from '../../../src/replies/data/judge-mark.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const task = answerTask({ output: 'files', graders: [] }, { 'a.txt': 'alpha\n' })
const shape = z.object({ sound: z.boolean() })

/** Asks a judge that reads a file and then gives an empty answer; `repair` answers the second time. */
async function judge(withShape: boolean, repair: string, folder?: string) {
  const strategy = strategyOf(async ({ ask }) => {
    const options = { tools: ['read'] }
    const said = withShape
      ? await ask('judge', 'Sound?', { shape, ...options })
      : await ask('judge', 'Sound?', options)
    return { stopReason: 'done', state: { said } }
  })
  const agent = agentThatCalls(
    ({ repair: isRepair, tools, schema }) => {
      if (isRepair) return repair && withShape ? JSON.stringify(addMark(schema, JSON.parse(repair))) : repair
      return tools?.turns.length ? '' : [['read', { path: 'a.txt' }]]
    },
    { virtualTime: true },
  )
  const played = await playTrial({ agent, strategy, task, tools: toolsOf(), ...(folder && { folder }) })
  const asks = played.steps.filter((step): step is AskStep => step.kind === 'ask')
  return { ...played, asks, requests: agent.requests }
}

it.each([
  ['a text', false, 'well'],
  ['data', true, '{"sound":true}'],
])(
  'an empty answer after calls of tools is repaired once, where %s is wanted',
  async (_, withShape, repair) => {
    const { record, asks, requests, folder } = await judge(withShape, repair)
    expect(record).toMatchObject({ outcome: { status: 'completed' }, spent: { calls: 3 } })
    expect(record.state?.said).toEqual(withShape ? JSON.parse(repair) : repair)
    expect(asks).toMatchObject([
      { key: '#0.1', attempt: 1, toolCalls: [{ name: 'read' }] },
      { key: '#0.2', attempt: 1, error: { reason: 'empty' } },
      { key: '#0.3', attempt: 1, repair: true, prompt: expect.stringContaining('it is empty.') },
    ])
    expect(requests[2]?.tools).toBeUndefined()
    const resumed = await judge(withShape, 'never asked', folder)
    expect(resumed.requests).toEqual([])
    expect(resumed.record).toMatchObject({ state: record.state, spent: record.spent })
  },
)

it.each([false, true])('a second empty answer fails the ask; data: %s', async (withShape) => {
  const { record, asks } = await judge(withShape, '')
  expect(record.outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/empty.*after one repair/s),
  })
  expect(asks).toHaveLength(3)
})
