import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import { Interrupted } from '../../../src/loop/branch/recorded-steps.ts'
import { retryDelay } from '../../../src/loop/budget/failures.ts'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, asksIn, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const server = { error: { reason: 'server' as const, message: 'HTTP 503' } }
const limited = (retryAfterMs: number) => ({
  error: { reason: 'quota' as const, message: 'HTTP 429', retryAfterMs },
})
const one = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  return { stopReason: 'done' }
})
const waits = (steps: readonly Step[]) => asksIn(steps).map(({ waitMs }) => waitMs)

/** Gives these replies by attempt, then the right answer, without waiting. */
const playing = (replies: readonly (Partial<AgentReply> | string)[], change: Partial<Agent> = {}) =>
  agentOf(({ attempt }) => replies[attempt - 1] ?? 'Answer: 42', { virtualTime: true, ...change })

describe('an ask with a retryable failure', () => {
  it('is retried, with a step and a cost per attempt, and waits that the clock does not count', async () => {
    const { record, steps } = await playTrial({
      agent: playing([server, limited(2000)]),
      strategy: one,
      retries: 3,
    })
    expect(asksIn(steps)).toMatchObject([
      { key: '#0', attempt: 1, at: 0, waitMs: 0, error: { reason: 'server' }, costUsd: 0.01 },
      { key: '#0', attempt: 2, at: 1000, retry: true, error: { reason: 'quota', retryAfterMs: 2000 } },
      { key: '#0', attempt: 3, at: 2000, retry: true, reply: 'Answer: 42' },
    ])
    const [, first = 0, second = 0] = waits(steps)
    expect(record).toMatchObject({
      outcome: { status: 'completed' },
      passed: true,
      retries: 2,
      waitMs: first + second,
      durationMs: 3000,
      spent: { calls: 3, input: 300, output: 30, costUsd: 0.03 },
    })
  })

  it('throws AgentError to the strategy only after its last attempt', async () => {
    const errors: unknown[] = []
    const catching = strategyOf(async ({ ask }) => {
      await ask('solver', 'one').catch((error) => errors.push(error))
      return { stopReason: 'stuck' }
    })
    const { steps } = await playTrial({
      agent: playing([server, server, server, server, server]),
      strategy: catching,
      retries: 2,
    })
    expect(asksIn(steps)).toHaveLength(3)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(AgentError)
    expect(errors[0]).toMatchObject({
      reason: 'server',
      message: expect.stringContaining('last of 3 attempts'),
    })
  })

  it('is made once when no retries are allowed', async () => {
    const { steps } = await playTrial({ agent: playing([server]), strategy: one, retries: 0 })
    expect(asksIn(steps)).toHaveLength(1)
  })

  it('continues its attempt numbers in the repair, which has its own retries', async () => {
    const shaped = strategyOf(async ({ ask }) => {
      await ask('judge', 'well?', { shape: z.object({ ok: z.boolean() }) })
      return { stopReason: 'done' }
    })
    const seen: [number, boolean][] = []
    const agent = agentOf(
      ({ attempt, repair }) => {
        seen.push([attempt, repair])
        return [server, 'no data', server, server, '{"ok":true}'][attempt - 1] ?? ''
      },
      { virtualTime: true },
    )
    const { steps, record } = await playTrial({ agent, strategy: shaped, retries: 2 })
    expect(record.outcome.status).toBe('completed')
    expect(seen).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, true],
      [5, true],
    ])
    expect(asksIn(steps).map(({ repair, retry }) => [repair ?? false, retry ?? false])).toEqual([
      [false, false],
      [false, true],
      [true, false],
      [true, true],
      [true, true],
    ])
  })

  it('is refused when its attempts have used up a limit', async () => {
    const calls = await playTrial({
      agent: playing([server, server, server]),
      strategy: one,
      retries: 3,
      limits: { calls: 2 },
    })
    expect(calls.record).toMatchObject({ outcome: { status: 'limited' }, spent: { calls: 2 } })
    expect(calls.steps.map(({ kind, attempt }) => [kind, attempt])).toContainEqual(['limit', 3])
    const tokens = await playTrial({
      agent: playing([server, server, server]),
      strategy: one,
      retries: 3,
      limits: { tokens: 110 },
    })
    expect(tokens.record).toMatchObject({ outcome: { status: 'limited' }, spent: { calls: 1 } })
  })

  it('writes an intent per paid attempt, and resumes with all attempts from the journal', async () => {
    const asked: number[] = []
    const agent = playing([server, server], { paid: true })
    const counted: Agent = {
      ...agent,
      ask: (request: AgentRequest, signal) => {
        asked.push(request.attempt)
        return agent.ask(request, signal)
      },
    }
    const first = await playTrial({ agent: counted, strategy: one, retries: 3 })
    expect(asked).toEqual([1, 2, 3])
    const resumed = await playTrial({ agent: counted, strategy: one, retries: 3, folder: first.folder })
    const replayed = await playTrial({
      agent: counted,
      strategy: one,
      retries: 3,
      folder: first.folder,
      replay: true,
    })
    expect(asked).toEqual([1, 2, 3])
    expect(replayed.divergences).toEqual([])
    for (const { record } of [resumed, replayed])
      expect({ ...record, wall: 0 }).toEqual({ ...first.record, wall: 0 })
  })

  it('stops waiting when the run is stopped, and continues there on resume', async () => {
    const stop = new AbortController()
    const agent = agentOf(({ attempt }) => {
      if (attempt > 1) return 'Answer: 42'
      setImmediate(() => stop.abort())
      return limited(250_000)
    })
    const folder = tempFolder()
    await expect(
      playTrial({ agent, strategy: one, retries: 1, signal: stop.signal, folder }),
    ).rejects.toBeInstanceOf(Interrupted)
    const again = await playTrial({
      agent: { ...agent, virtualTime: true },
      strategy: one,
      retries: 1,
      folder,
    })
    expect(asksIn(again.steps).map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(again.record).toMatchObject({ passed: true, retries: 1 })
    expect(waits(again.steps)[1]).toBeGreaterThanOrEqual(250_000)
  })
})

describe('the wait before a retry', () => {
  const failed = (attempt: number, error: AskStep['error']) => ({ trial: 't', key: '#0', attempt, error })

  it('doubles from a second to a minute, half of it seeded random', () => {
    for (let made = 0; made < 12; made++) {
      const whole = Math.min(1000 * 2 ** made, 60_000)
      const delays = Array.from({ length: 50 }, (_, i) => retryDelay(failed(i, server.error), made, 99) ?? 0)
      for (const delay of delays) {
        expect(delay).toBeGreaterThanOrEqual(whole / 2)
        expect(delay).toBeLessThanOrEqual(whole)
      }
      expect(new Set(delays).size).toBeGreaterThan(10)
      expect(retryDelay(failed(7, server.error), made, 99)).toBe(delays[7])
    }
  })

  it('is at least what the provider asks for, and more than five minutes are not waited', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300_000 }), fc.nat(10), (retryAfterMs, made) => {
        const { error } = limited(retryAfterMs)
        expect(retryDelay(failed(1, error), made, 99)).toBeGreaterThanOrEqual(retryAfterMs)
      }),
    )
    expect(retryDelay(failed(1, limited(300_001).error), 0, 99)).toBeUndefined()
  })
})
