import { describe, expect, it } from 'vitest'
import { callingAgent, toolsOf } from '../../../helpers/agents/calling-agent.ts'
import { answerTask, playTrial, strategyOf } from '../../../helpers/runs/trial.ts'

const one = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  return { stopReason: 'done' }
})
const task = answerTask({}, { 'a.txt': 'alpha\n', 'src/b.txt': 'beta\n' })

describe('an ask with tools', () => {
  it('makes turns and calls as steps under its key, in order', async () => {
    const agent = callingAgent([[['list'], ['read', { path: 'a.txt' }]], [['read', { path: 'src/b.txt' }]]])
    const { record, steps } = await playTrial({ agent, strategy: one, task, tools: toolsOf() })
    expect(steps.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'ask #0.1',
      'tool #0.1.1',
      'tool #0.1.2',
      'ask #0.2',
      'tool #0.2.1',
      'ask #0.3',
      'grade grade#0',
    ])
    expect(agent.requests[1]?.tools?.turns[0]?.results).toEqual([
      { id: 'call-1-1', name: 'list', text: 'a.txt\nsrc/b.txt', isError: false },
      { id: 'call-1-2', name: 'read', text: 'alpha\n', isError: false },
    ])
    expect(record).toMatchObject({
      outcome: { status: 'completed' },
      passed: true,
      iterations: 1,
      spent: { calls: 3, input: 300 },
      tools: { calls: 3, turns: 3 },
    })
  })
})
