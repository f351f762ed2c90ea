import { expect, it } from 'vitest'
import type { AgentReply } from '../../../src/agents/agent.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const strategy = strategyOf(async ({ ask }) => {
  await ask('solver', 'x')
  return { stopReason: 'done' }
})

const known = { input: 1, output: 1, cached: 0 }

it.each<[string, object]>([
  ['costUsd -1', { costUsd: -1 }],
  ['costUsd "1"', { costUsd: '1' }],
  ['costUsd Infinity', { costUsd: Number.POSITIVE_INFINITY }],
  ['tokens.input NaN', { tokens: { ...known, input: Number.NaN } }],
  ['tokens.input 1e+300', { tokens: { ...known, input: 1e300 } }],
  ['tokens.output 1000000000000000', { tokens: { ...known, output: 1e15 } }],
  ['costUsd 1e+300', { costUsd: 1e300 }],
  ['costUsd 1000001', { costUsd: 1_000_001 }],
  ['tokens.output -5', { tokens: { ...known, output: -5 } }],
  ['tokens.input 1.5', { tokens: { ...known, input: 1.5 } }],
  ['tokens.cached 0.1', { tokens: { ...known, cached: 0.1 } }],
  ['the unknown error reason "tired"', { error: { reason: 'tired', message: 'no more' } }],
  ['tokens.cached undefined', { tokens: { input: 1, output: 1 } }],
  ['tokens.reasoning "9"', { tokens: { ...known, reasoning: '9' } }],
  ['listCostUsd -1', { listCostUsd: -1 }],
  ['durationMs -100', { durationMs: -100 }],
  ['a text that is 5', { text: 5 }],
  ['an error without', { error: 'broken' }],
  ['an error without', { error: { reason: 'server', message: 5 } }],
  ['retryAfterMs NaN', { error: { reason: 'quota', message: '', retryAfterMs: Number.NaN } }],
])('a reply with %s counts as a broken adapter with unknown cost', async (words, reply) => {
  for (const change of [{ virtualTime: true as const }, {}]) {
    const agent = agentOf(() => reply as Partial<AgentReply>, change)
    const { record, steps } = await playTrial({ agent, strategy })
    expect(record.outcome).toMatchObject({ status: 'error', reason: expect.stringContaining(words) })
    expect(record.spent).toMatchObject({ input: 0, output: 0, costUsd: null, calls: 1, unreportedTokens: 1 })
    // Reading the steps again validates them.
    expect(steps).toMatchObject([{ kind: 'ask', costUsd: null, error: { reason: 'exit' } }])
    expect(record.durationMs).toBeGreaterThanOrEqual(0)
  }
})

const huge = 'x'.repeat(500 * 1024 ** 2)

it.each<[string, object]>([
  ['a text', { text: huge }],
  ['arguments of a call', { toolCalls: [{ id: '1', name: 'write', arguments: huge }] }],
  ['the words of an error', { error: { reason: 'server', message: huge } }],
  ['a usage', { text: 'Answer: 42', usage: { more: huge } }],
  ['a list without an end', { text: 'Answer: 42', usage: { more: new Array(1e9) } }],
  ['bytes', { text: 'Answer: 42', usage: { more: Buffer.alloc(8 * 1024 ** 2) } }],
])(
  'a reply whose %s is too long is refused before it is read, and its cost stays in the bill',
  async (_, reply) => {
    const agent = agentOf(() => ({ ...reply, tokens: known, costUsd: 0.5 }) as Partial<AgentReply>)
    const started = performance.now()
    const { record, steps } = await playTrial({ agent, strategy })
    expect(record.outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/more than 4194304 characters/),
    })
    expect(record.spent).toMatchObject({ input: 1, output: 1, costUsd: 0.5, calls: 1 })
    expect(steps[0]).toMatchObject({ kind: 'ask', costUsd: 0.5, error: { reason: 'unparsable' } })
    expect(performance.now() - started).toBeLessThan(20_000)
  },
)

it.each<[string, object, object]>([
  [
    'more from a cache than came in',
    { input: 1, output: 1, cached: 9 },
    { input: 1, output: 1, cached: null },
  ],
  [
    'more read from and written to a cache than came in',
    { input: 10, output: 1, cached: 6, cacheWrite: 6, cacheWriteHour: 6 },
    { input: 10, output: 1, cached: null },
  ],
  [
    'more kept for an hour than written',
    { input: 10, output: 1, cached: 0, cacheWrite: 3, cacheWriteHour: 4 },
    { input: 10, output: 1, cached: 0, cacheWrite: 3 },
  ],
  ['more reasoning than output', { input: 1, output: 1, cached: 0, reasoning: 2 }, known],
])('a reply that counts %s is kept without that count', async (_, tokens, kept) => {
  const agent = agentOf(() => ({ text: 'Answer: 42', tokens }) as Partial<AgentReply>)
  const { record, steps } = await playTrial({ agent, strategy })
  expect(record.outcome.status).toBe('completed')
  const ask = steps.find(({ kind }) => kind === 'ask')
  expect(ask).toEqual(expect.objectContaining({ tokens: kept }))
})

it.each<[string, object]>([
  ['costUsd an object', { costUsd: Object.create(null) }],
  ['an error without a reason', { error: { reason: Object.create(null), message: 'm' } }],
])('a reply with %s, which cannot be converted to text, counts as a broken adapter', async (what, change) => {
  const agent = agentOf(() => ({ text: 'x', ...change }) as Partial<AgentReply>)
  const { record } = await playTrial({ agent, strategy })
  expect(record.outcome.reason).toContain(what)
})
