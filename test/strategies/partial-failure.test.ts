import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../src/agents/agent.ts'
import { strategies } from '../../strategies/index.ts'
import { agentOf, playTrial } from '../helpers/trial.ts'

const cases: [name: string, options: object][] = [
  ['self-consistency', { n: 3 }],
  ['best-of', { n: 3 }],
  ['retry', { n: 3 }],
  ['baseline', { turns: 3 }],
  ['consensus', { agents: 3 }],
  ['consensus', { agents: 3, vote: 'judge' }],
  ['consensus', { agents: 3, vote: 'combine' }],
]

const nobody = () => false

/** Answers whoever is asked in its own words, and refuses some asks by their keys. */
async function run(name: string, given: object, refuses: (key: string) => boolean) {
  const strategy = strategies.find((one) => one.name === name)
  if (!strategy) throw new Error(name)
  const requests: AgentRequest[] = []
  const agent = agentOf((request) => {
    requests.push(request)
    if (refuses(request.trial.key)) return { error: { reason: 'refusal', message: 'no' } }
    const [letter] = (request.schema?.properties as { best?: { enum?: string[] } })?.best?.enum ?? []
    return letter ? JSON.stringify({ reason: '', best: letter }) : `Answer: ${request.trial.key.length}`
  })
  const options = strategy.options.parse(given) as object
  return { ...(await playTrial({ agent, strategy, options: { ...options } })), requests }
}

describe.each(cases)('%s %j', (name, options) => {
  it('ends with a stated outcome whichever ask fails, and tells nobody of an agent that gave nothing', async () => {
    const keys = (await run(name, options, nobody)).requests.map(({ trial }) => trial.key)
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) {
      const { record, requests } = await run(name, options, (one) => one === key)
      const { status, reason } = record.outcome
      expect(['completed', 'failed']).toContain(status)
      if (status === 'failed') expect(reason).toContain('refusal')
      expect(record.fidelity?.status).toBe('kept')
      const failed = requests.findIndex(({ trial }) => trial.key === key)
      for (const { prompt } of requests.slice(failed + 1)) {
        expect(prompt).not.toMatch(/worker|attempt|fail|refus/i)
        expect(prompt.match(/## candidate/g)?.length ?? 2).toBe(2)
      }
    }
    const none = await run(name, options, () => true)
    expect(none.record.outcome).toMatchObject({ status: 'failed' })
  })
})

it('names the agent that judges its own work, and no other', async () => {
  const { record } = await run('consensus', { vote: 'judge' }, nobody)
  expect(record.ownJudge).toBe('test')
  expect((await run('consensus', {}, nobody)).record.ownJudge).toBeUndefined()
})
