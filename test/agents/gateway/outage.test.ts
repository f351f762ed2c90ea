import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from '../../../src/agents/gateway/exchange.ts'
import { forwardTo } from '../../../src/agents/gateway/forward.ts'
import { createMeter } from '../../../src/agents/gateway/meter.ts'
import { outageOf } from '../../../src/agents/gateway/request-failure.ts'
import { newObservedReply } from '../../../src/agents/wire/observe-reply.ts'
import { gatewayRules } from '../../helpers/agents/gateway-rules.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'
import type { Script } from '../../model-server/script.ts'
import { startModelServer } from '../../model-server/server.ts'

type Times = Pick<Exchange, 'began'> & Partial<Pick<Exchange, 'over' | 'isLeft'>>
const exchange = (end: Exchange['end'], times: Times): Exchange => ({
  isModelPath: true,
  expected: { input: 1, output: 1, cached: null },
  isLeft: false,
  passed: 0,
  end,
  ...times,
})
const unread = { ...newObservedReply(), form: 0 }
const refusal = { kind: 'refused', status: 500, headers: {}, body: '{"message":"no"}' } as const
const refused = (began: number, over: number, status = 500): Exchange =>
  exchange({ ...refusal, status }, { began, over })
const answered = (began: number, over: number): Exchange =>
  exchange({ kind: 'read', reply: { ...unread, ended: true } }, { began, over })
const cut = (began: number, over: number): Exchange =>
  exchange({ kind: 'read', reply: unread }, { began, over })
const silent = (began: number): Exchange => exchange({ kind: 'none' }, { began })

describe('an outage', () => {
  it.each([
    ['refusals alone', [refused(0, 1), refused(50, 51)], 'server'],
    ['a rate limit', [refused(0, 1, 429)], 'quota'],
    ['streams that the provider cut', [cut(0, 10), cut(50, 60)], 'network'],
    ['a connection that broke', [exchange({ kind: 'broken' }, { began: 0, over: 9 })], 'network'],
    ['slow refusals, the next of which is still awaited', [refused(0, 60), silent(70)], 'server'],
    ['refusals after an early answer', [answered(0, 20), refused(25, 26), refused(60, 61)], 'server'],
    [
      'refusals that nest 30,000 lists',
      [exchange({ ...refusal, body: '['.repeat(30_000) + ']'.repeat(30_000) }, { began: 0, over: 1 })],
      'server',
    ],
    ['no request', [], undefined],
    ['a model that is awaited', [silent(0)], undefined],
    ['a model that is awaited after a refusal', [refused(0, 1), silent(5)], undefined],
    [
      'a stream that the program left',
      [refused(0, 1), exchange({ kind: 'read', reply: unread }, { began: 5, isLeft: true })],
      undefined,
    ],
    ['a late refusal after answers', [answered(0, 90), refused(95, 96)], undefined],
    ['an answer', [refused(0, 1), answered(5, 99)], undefined],
  ] as const)('of 100 ms with %s', (_, exchanges, reason) => {
    expect(outageOf(exchanges, 0, 100)?.reason).toBe(reason)
  })
})

/** Asks a model behind a gateway `times` times; gives how often the meter said that this is in vain. */
async function vainAfter(
  script: Script,
  times: number,
  path = '/v1/messages',
  bodyOf = (_: number): object => ({ model: 'm', stream: true }),
): Promise<number[]> {
  const server = await startModelServer(script)
  const onVain = vi.fn()
  const meter = createMeter({ onStop: onVain })
  const between = createServer(forwardTo(server.url, 'a-key', meter, gatewayRules(['m'])))
  onTestFinished(() => server.close())
  const url = `${await onLoopback(between)}${path}`
  const told: number[] = []
  for (let i = 1; i <= times; i++) {
    const hello = { role: 'user', content: 'Hello' }
    const asked = path.includes('/models/')
      ? { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
      : { ...bodyOf(i), [path.endsWith('/responses') ? 'input' : 'messages']: [hello] }
    const body = JSON.stringify(asked)
    await fetch(url, { method: 'POST', body }).then((response) => response.text(), String)
    await new Promise((resolve) => setImmediate(resolve))
    if (onVain.mock.calls.length > 0) told.push(i)
  }
  return told
}
const status = (code: number) => ({ failure: { kind: 'status', status: code } }) as const

describe('a program that repeats what its provider refuses', () => {
  it.each([401, 402, 404])('is in vain after three times status %j', async (code) => {
    expect(await vainAfter(() => status(code), 3)).toEqual([3])
  })

  it.each([429, 500, 400])('is in vain only after ten times status %j', async (code) => {
    expect(await vainAfter(() => status(code), 10)).toEqual([10])
  })

  it('is in vain only if nothing was answered in between', async () => {
    const answers = [401, 401, 200, 401, 401]
    const script = () => {
      const code = answers.shift() ?? 200
      return code === 200 ? { text: 'Hello' } : status(code)
    }
    expect(await vainAfter(script, 5)).toEqual([])
  })

  it('is not in vain if the refused path asks no model', async () => {
    expect(await vainAfter([], 5, '/v1/messages/other')).toEqual([])
  })

  describe('that answers whole replies', () => {
    const whole = () => ({ text: 'Hello', failure: { kind: 'unstreamed' } }) as const

    it.each([
      '/v1/messages',
      '/v1/responses',
      '/v1/chat/completions',
      '/v1beta/models/m:streamGenerateContent?alt=sse',
    ])('is in vain after ten equal requests for a stream: %s', async (path) => {
      expect(await vainAfter(whole, 10, path)).toEqual([10])
    })

    it.each([
      ['differ', (i: number) => ({ model: 'm', stream: true, max_tokens: i })],
      ['ask for no stream', () => ({ model: 'm', stream: false })],
      ['have the wish for one in a text', () => ({ model: 'm', metadata: { user_id: '"stream":true' } })],
    ])('is not in vain if the requests %s', async (_, bodyOf) => {
      expect(await vainAfter(whole, 12, undefined, bodyOf)).toEqual([])
    })

    it('is not in vain if the equal requests get streams', async () => {
      expect(await vainAfter(() => ({ text: 'Hello' }), 12)).toEqual([])
    })
  })
})
