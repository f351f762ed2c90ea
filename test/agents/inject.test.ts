import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply } from '../../src/agents/agent.ts'
import { faults, injectFaults } from '../../src/agents/faults.ts'
import { readData } from '../../src/replies/data/read-data.ts'
import { parseFileBlocks } from '../../src/replies/files.ts'
import { FaultKind, type FaultRates } from '../../src/schema/agent/faults.ts'
import { agentRequest, type Wanted } from '../helpers/agents/agent-request.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../helpers/runs/trial.ts'

const json = '{"approved": true, "notes": "all of it is there, and more than that"}'
const signal = new AbortController().signal

/** Creates an agent with injected faults that counts its real asks. */
function injected(
  rates: FaultRates,
  reply: string | Partial<AgentReply> = json,
  change: Partial<Agent> = {},
) {
  const asked: string[] = []
  const inner = agentOf(({ trial }) => {
    asked.push(trial.key)
    return reply
  }, change)
  const agent = injectFaults(inner, rates)
  return { asked, agent, ask: (wanted: Wanted = {}) => agent.ask(agentRequest(wanted), signal) }
}

const used = { tokens: { input: 100, output: 10, cached: 0 }, costUsd: 0.01 }
const nothing = { tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 }
const unreported = { tokens: { input: null, output: null, cached: null }, costUsd: null }

describe('a fault', () => {
  it.each([
    ['timeout', 0, { ...unreported, durationMs: 5000, error: { reason: 'timeout' } }],
    ['rate-limit', 0, { ...nothing, error: { reason: 'quota' } }],
    ['server', 0, { ...nothing, error: { reason: 'server' } }],
    ['dropped', 1, { ...unreported, error: { reason: 'network' } }],
    ['exit', 0, { ...unreported, error: { reason: 'exit' } }],
    ['malformed', 1, used],
    ['empty', 1, { ...used, text: '', error: { reason: 'empty' } }],
    ['wrong-blocks', 1, used],
    ['slow', 1, { ...used, durationMs: 31_000 }],
  ] as const)('of the kind %s asks the agent %i times and reports its usage', async (kind, times, reply) => {
    const { asked, ask } = injected({ [kind]: 1 }, json, { virtualTime: true })
    expect(await ask({ timeoutMs: kind === 'timeout' ? 5000 : undefined })).toMatchObject({
      ...reply,
      fault: kind,
    })
    expect(asked).toHaveLength(times)
  })

  it('of a rate limit asks the caller to wait one to three seconds', async () => {
    const { ask } = injected({ 'rate-limit': 1 })
    const waits = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => (await ask({ attempt: i + 1 })).error?.retryAfterMs),
    )
    expect([...new Set(waits)].sort()).toEqual([1000, 2000, 3000])
  })

  it('cuts a malformed reply so that data does not parse, and a dropped one in its middle', async () => {
    const shape = z.object({ approved: z.boolean(), notes: z.string() })
    for (let attempt = 1; attempt <= 40; attempt++) {
      const malformed = await injected({ malformed: 1 }).ask({ attempt })
      expect(readData(malformed.text, shape)).toHaveProperty('problem')
      const dropped = await injected({ dropped: 1 }).ask({ attempt })
      expect(json.startsWith(dropped.text) && dropped.text.length < json.length).toBe(true)
      expect(dropped.durationMs).toBeLessThan(1000)
    }
  })

  it('writes blocks that are never applied, whether or not the reply had blocks', async () => {
    const ways = new Set<string>()
    for (const text of ['Done.', 'FILE: src/a.mjs\n```js\nexport const a = 1\n```\n']) {
      for (let attempt = 1; attempt <= 60; attempt++) {
        const reply = await injected({ 'wrong-blocks': 1 }, text).ask({ attempt })
        const { edits, rejected } = parseFileBlocks(reply.text)
        const way = rejected.map(({ path }) => path).join()
        ways.add(way)
        expect(edits.map(({ path }) => path)).toEqual(
          way !== 'missing.txt' || text === 'Done.' ? [] : ['src/a.mjs'],
        )
        expect(reply.text).not.toBe(text)
      }
    }
    expect([...ways].sort()).toEqual(
      ['../outside.txt', '/outside.txt', 'C:\\outside.txt', 'missing.txt', 'src/../../outside.txt'].sort(),
    )
  })

  it('that makes a simulated reply too slow is a timeout with unreported usage', async () => {
    const { ask } = injected({ slow: 1 }, json, { virtualTime: true })
    expect(await ask({ timeoutMs: 20_000 })).toMatchObject({
      ...unreported,
      durationMs: 20_000,
      error: { reason: 'timeout' },
    })
  })

  it('that makes a real reply too slow is cut off by the harness’s own timer', async () => {
    const impatient = strategyOf(async ({ ask }) => {
      await ask('solver', 'one', { timeoutMs: 30 })
      return { stopReason: 'done' }
    })
    const { record, steps } = await playTrial({ agent: injected({ slow: 1 }).agent, strategy: impatient })
    expect(record.outcome).toMatchObject({ status: 'limited', reason: expect.stringContaining('30 ms') })
    expect(steps).toMatchObject([
      { kind: 'ask', ...unreported, error: { reason: 'timeout' } },
      { kind: 'grade' },
    ])
  })

  it('in the file blocks of a judge changes nothing, as none of its blocks do', async () => {
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'a.txt': 'old\n' })
    const judging = strategyOf(async ({ ask }) => {
      await ask('judge', 'one')
      return { stopReason: 'done' }
    })
    const text = 'FILE: a.txt\n```\nnew\n```\n'
    const { agent } = injected({ 'wrong-blocks': 1 }, text)
    const { record, steps } = await playTrial({ agent, strategy: judging, task })
    expect(record.delivered).toBeNull()
    expect(steps.find(({ kind }) => kind === 'ask')).toMatchObject({ fault: 'wrong-blocks' })
    expect(steps.find(({ kind }) => kind === 'ask')).not.toHaveProperty('changeSet')
  })

  it('never hides the agent’s own failure', async () => {
    const error = { reason: 'refusal' as const, message: 'no' }
    for (const kind of ['malformed', 'empty', 'dropped', 'wrong-blocks', 'slow'] as const) {
      const reply = await injected({ [kind]: 1 }, { error }).ask()
      expect(reply).toMatchObject({ ...used, error })
      expect(reply.fault).toBeUndefined()
    }
  })
})

describe('the choice of the attempt to fail', () => {
  const rates: FaultRates = { timeout: 0.1, malformed: 0.2, server: 0.1 }
  const hits = async (agent: Agent, keys: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(
        keys.map(async (key) => [key, (await agent.ask(agentRequest({ trial: { key } }), signal)).fault]),
      ),
    )
  const keys = Array.from({ length: 2000 }, (_, i) => `#${i}`)

  it('depends only on trial, key and attempt, not on earlier asks', async () => {
    const forward = await hits(injected(rates).agent, keys)
    expect(await hits(injected(rates).agent, [...keys].reverse())).toEqual(forward)
    const { agent } = injected(rates)
    const other = async (wanted: Wanted) =>
      Promise.all(
        keys.map(
          async (key) =>
            (await agent.ask(agentRequest({ ...wanted, trial: { key, ...wanted.trial } }), signal)).fault,
        ),
      )
    const base = Object.values(forward)
    expect(await other({})).toEqual(base)
    expect(await other({ attempt: 2 })).not.toEqual(base)
    expect(await other({ trial: { id: 't2' } })).not.toEqual(base)
  })

  it('has the frequency of the rates', async () => {
    const found = Object.values(await hits(injected(rates).agent, keys))
    for (const [kind, rate] of Object.entries(rates)) {
      const share = found.filter((fault) => fault === kind).length / keys.length
      // Four standard errors.
      expect(Math.abs(share - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / keys.length))
    }
  })

  it('leaves the agent unchanged if no rate is above 0', () => {
    const agent = agentOf(() => '')
    expect(injectFaults(agent, {})).toBe(agent)
    expect(injectFaults(agent, { timeout: 0 })).toBe(agent)
  })

  it('can be every listed kind', () => {
    expect(Object.keys(faults)).toEqual(FaultKind.options)
  })
})
