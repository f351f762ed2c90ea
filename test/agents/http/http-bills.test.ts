import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import { agentRequest } from '../../helpers/agents/agent-request.ts'
import {
  agentAt,
  agents,
  counted,
  exchange,
  failing,
  hello,
  serve,
} from '../../helpers/agents/http-agents.ts'
import type { Answer } from '../../model-server/script.ts'

describe('an agent over HTTP', () => {
  const faults: Answer[] = [
    hello,
    { text: 'short' },
    failing({ kind: 'cut' }),
    failing({ kind: 'cut', early: true }),
    failing({ kind: 'malformed' }),
    failing({ kind: 'error-event' }),
    failing({ kind: 'status', status: 429 }),
    failing({ kind: 'status', status: 500 }),
    failing({ kind: 'status', status: 529 }),
    { usage: counted },
  ]

  it('reports for any sequence of faults the tokens that the server counts if it reported them, 0 if it refused, else null', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...agents),
        fc.array(fc.constantFrom(...faults), { minLength: 1, maxLength: 6 }),
        async (name, answers) => {
          const server = await serve(answers)
          const agent = await agentAt(name, server.url)
          const replies: AgentReply[] = []
          for (const _ of answers) replies.push(await agent.ask(agentRequest(), new AbortController().signal))
          const ledger = replies.map(({ tokens: { input, output } }) => [input, output])
          const log = server.log.map(({ reported, usage, status }) => {
            if (status >= 400) return [0, 0]
            return reported && usage ? [usage.input, usage.output] : [null, null]
          })
          expect(ledger).toEqual(log)
          await server.close()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('prices a call by the user’s prices, as billed and with nothing cached', async () => {
    const sonnet = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75, cacheWriteHour: 6 }
    const prices = { prices: { 'anthropic:claude-sonnet-4-5': sonnet } }
    const server = await serve([
      {
        text: 'x',
        usage: { input: 10_000, cached: 1000, cacheWrite: 5000, cacheWriteHour: 2000, output: 1000 },
      },
    ])
    const agent = await agentAt('anthropic:claude-sonnet-4-5', server.url, { prices })
    const reply = await agent.ask(agentRequest(), new AbortController().signal)
    // 4,000 fresh at $3, 1,000 read at $0.30, 3,000 written at $3.75, 2,000 for an hour at $6, 1,000 out at $15.
    expect(reply.costUsd).toBeCloseTo(0.05055, 10)
    expect(reply.listCostUsd).toBeCloseTo(0.045, 10)
    expect(reply).toMatchObject({ costSource: 'file', tokens: { cacheWrite: 5000, cacheWriteHour: 2000 } })
  })

  it('does not apply a vendor’s list price to another server', async () => {
    const { reply } = await exchange('anthropic:claude-sonnet-4-5', [hello])
    expect(reply.costUsd).toBeNull()
  })

  it('does not guess the cost of a self-hosted server', async () => {
    const { reply } = await exchange('openai-compatible:gpt-5', [hello])
    expect(reply.costUsd).toBeNull()
    expect(reply).not.toHaveProperty('listCostUsd')
  })

  it('takes the cost that the provider reports', async () => {
    const { reply } = await exchange('openai-compatible:local-model', [{ ...hello, cost: 0.0123 }])
    expect(reply).toMatchObject({ costUsd: 0.0123, costSource: 'provider' })
  })

  it('reports what is missing before a run, and again when it is asked', async () => {
    const endpoints = { openai: { keyVariable: 'NO_SUCH_KEY' } }
    const environment = {
      tasks: [],
      profile: undefined,
      trySubmission: () => Promise.reject(),
      sandbox: lazySandbox('none'),
      endpoints,
    }
    const agent = (await createAgents({ '*': 'openai:gpt-5' }, environment)).get('openai:gpt-5') as Agent
    expect(await agent.missing?.()).toEqual([
      {
        where: 'provider openai',
        what: 'NO_SUCH_KEY is not set',
        fix: 'Set it to your key.',
      },
    ])
    const reply = await agent.ask(agentRequest(), new AbortController().signal)
    expect(reply.error?.reason).toBe('key')
  })

  it('makes no second request by itself, even after a long wait', async () => {
    const { server } = await exchange('openai:gpt-5', [failing({ kind: 'status', status: 500 }), hello])
    await sleep(50)
    expect(server.log).toHaveLength(1)
  })
})
