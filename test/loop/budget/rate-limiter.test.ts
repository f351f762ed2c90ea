import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgents } from '../../../src/agents/registry.ts'
import { Interrupted } from '../../../src/loop/branch/recorded-steps.ts'
import { createRateLimiter } from '../../../src/loop/budget/rate-limiter.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { RateLimits } from '../../../src/schema/limits.ts'
import { agentOf, asksIn, playTrial, strategyOf } from '../../helpers/runs/trial.ts'
import { startModelServer } from '../../model-server/server.ts'

const never = new AbortController().signal
// All calls of a trial wait on one signal.
setMaxListeners(0, never)
const accountOf = (limits: RateLimits = {}) => ({ name: 'test (key)', limits })
const enter = async (
  rateLimiter: ReturnType<typeof createRateLimiter>,
  limits: RateLimits,
  method: string,
) => {
  const slot = await rateLimiter.acquire(accountOf(limits), method, 1, never)
  if (!slot) throw new Error('aborted')
  return slot
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the rate limiter', () => {
  it('serves methods in turn: none waits for more calls than there are methods', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (methods, concurrent) => {
          const rateLimiter = createRateLimiter(() => {})
          const order: string[] = []
          const calls = methods.map(async (method, i) => {
            const slot = await enter(rateLimiter, { concurrent }, method)
            order.push(`${method}${i}`)
            await turn()
            slot.end({ refused: false })
          })
          await Promise.all(calls)
          const waiting = order.slice(concurrent)
          const left = new Map<string, number>()
          for (const call of waiting) left.set(call.charAt(0), (left.get(call.charAt(0)) ?? 0) + 1)
          // While a method has calls left, each round serves one of them.
          for (let at = 0; at < waiting.length; ) {
            const round = [...left].filter(([, calls]) => calls > 0).map(([method]) => method)
            const gone = waiting.slice(at, at + round.length).map((call) => call.charAt(0))
            expect([...gone].sort()).toEqual([...round].sort())
            for (const method of gone) left.set(method, (left.get(method) ?? 0) - 1)
            at += round.length
          }
          // Calls of one method are served in order.
          for (const method of ['a', 'b', 'c']) {
            const places = order
              .filter((call) => call.startsWith(method))
              .map((call) => Number(call.slice(1)))
            expect(places).toEqual([...places].sort((x, y) => x - y))
          }
        },
      ),
    )
  })

  it('limits each account separately', async () => {
    const rateLimiter = createRateLimiter(() => {})
    await rateLimiter.acquire({ name: 'one', limits: { concurrent: 1 } }, 'a', 1, never)
    expect(
      await rateLimiter.acquire({ name: 'other', limits: { concurrent: 1 } }, 'a', 1, never),
    ).toBeDefined()
  })

  it('drops a waiting call that is aborted, and serves the next one', async () => {
    const rateLimiter = createRateLimiter(() => {})
    const first = await enter(rateLimiter, { concurrent: 1 }, 'a')
    const stop = new AbortController()
    const gone = rateLimiter.acquire(accountOf({ concurrent: 1 }), 'a', 1, stop.signal)
    const next = enter(rateLimiter, { concurrent: 1 }, 'a')
    stop.abort()
    expect(await gone).toBeUndefined()
    first.end({ refused: false })
    expect(await next).toBeDefined()
    expect(await rateLimiter.acquire(accountOf(), 'a', 1, stop.signal)).toBeUndefined()
  })

  it('adapts to a server that refuses more than four parallel calls: every call succeeds, and no method starves', async () => {
    const capacity = 4
    let open = 0
    const server = createServer((_, response) => {
      open++
      const refused = open > capacity
      setTimeout(
        () => {
          open--
          response.writeHead(refused ? 429 : 200).end()
        },
        refused ? 0 : 4,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const warnings: string[] = []
    const rateLimiter = createRateLimiter((message) => warnings.push(message))
    let refusals = 0
    const done: string[] = []
    const call = async (method: string) => {
      for (;;) {
        const slot = await enter(rateLimiter, { concurrent: 32 }, method)
        const { status } = await fetch(url)
        slot.end({ refused: status === 429 })
        if (status === 200) return void done.push(method)
        refusals++
      }
    }
    // One method has many calls; another has few and comes later.
    const many = Array.from({ length: 200 }, () => call('many'))
    const few = Array.from({ length: 20 }, () => call('few'))
    await Promise.all([...many, ...few])
    expect(done).toHaveLength(220)
    // All calls of the first window, as many again while it is halved, and one try per ten answers.
    expect(refusals).toBeLessThan(32 + 32 + 220 / 10 + 10)
    expect(done.lastIndexOf('few')).toBeLessThan(120)
    expect(warnings).toHaveLength(1)
  })
})

describe('a call that waits for its account', () => {
  const asking = (asks: number) =>
    strategyOf(async ({ branch }) => {
      await Promise.all(
        Array.from({ length: asks }, (_, i) => branch(`b${i}`, ({ ask }) => ask('solver', 'one'))),
      )
      return { stopReason: 'done' }
    })
  const single = strategyOf(async ({ ask }) => {
    await ask('solver', 'one')
    return { stopReason: 'done' }
  })

  it("records its waiting time, which is not part of the trial's duration", async () => {
    let flying = 0
    let most = 0
    const agent = agentOf(
      async () => {
        most = Math.max(most, ++flying)
        await new Promise((resolve) => setTimeout(resolve, 20))
        flying--
        return { text: 'Answer: 42', durationMs: 20 }
      },
      { account: accountOf({ concurrent: 1 }) },
    )
    const { record, steps } = await playTrial({
      agent,
      strategy: asking(3),
      rateLimiter: createRateLimiter(() => {}),
    })
    expect(most).toBe(1)
    expect(record).toMatchObject({ durationMs: 20, spent: { calls: 3 } })
    const waits = asksIn(steps).map(({ waitMs }) => waitMs)
    expect(record.waitMs).toBe(waits.reduce((sum, ms) => sum + ms, 0))
    // Even the first call may wait for the machine. The others wait for the calls before them, which take 20 ms each.
    const [first = 0, second = 0, third = 0] = waits.sort((a, b) => a - b)
    expect(second - first).toBeGreaterThan(15)
    expect(third - second).toBeGreaterThan(15)
  })

  it('writes no intent before it begins, and is aborted with the run', async () => {
    const stop = new AbortController()
    const rateLimiter = createRateLimiter(() => {})
    await enter(rateLimiter, { concurrent: 1 }, 'another')
    const agent = agentOf(() => 'Answer: 42', { paid: true, account: accountOf({ concurrent: 1 }) })
    setTimeout(() => stop.abort(), 5)
    await expect(
      playTrial({ agent, strategy: asking(1), rateLimiter, signal: stop.signal }),
    ).rejects.toBeInstanceOf(Interrupted)
  })

  it('obeys a retry-after that another trial received', async () => {
    const server = await startModelServer([
      { failure: { kind: 'status', status: 429, retryAfter: '1' } },
      { text: 'Answer: 42', always: true },
    ])
    onTestFinished(() => server.close())
    process.env.GATE_TEST_KEY = 'sk-test-0123456789abcdef'
    const name = 'anthropic:claude-sonnet-4-5'
    const agents = await createAgents(
      { '*': name },
      {
        tasks: [],
        profile: undefined,
        trySubmission: () => Promise.reject(new Error('not here')),
        sandbox: lazySandbox('none'),
        endpoints: { anthropic: { baseUrl: server.url, keyVariable: 'GATE_TEST_KEY' } },
      },
    )
    const agent = agents.get(name)
    if (!agent) throw new Error('no agent')
    expect(agent.account?.name).toBe(`anthropic (${server.url}/v1, GATE_TEST_KEY)`)
    let rateLimiter = createRateLimiter(() => {})
    const warned = new Promise((resolve) => {
      rateLimiter = createRateLimiter(resolve)
    })
    const refused = playTrial({ agent, strategy: single, rateLimiter, retries: 1 })
    await warned
    const held = await playTrial({ agent, strategy: single, rateLimiter })
    expect(held.record).toMatchObject({ passed: true })
    expect(asksIn(held.steps)[0]?.waitMs).toBeGreaterThan(0)
    expect(held.record.retries).toBeUndefined()
    expect((await refused).record).toMatchObject({ passed: true, retries: 1 })
  })
})
