import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { forwardTo } from '../../../src/agents/gateway/forward.ts'
import { createMeter } from '../../../src/agents/gateway/meter.ts'
import { openGateway } from '../../../src/sandbox/gateway.ts'
import { gatewayRules } from '../../helpers/agents/gateway-rules.ts'
import { startLeakyProvider } from '../../helpers/fuzz/fuzz-gateway.ts'

/** Returns how a gateway answers a request, and how many have reached its provider. */
async function ask(path: string, body: object): Promise<{ status?: number; said: string; passed: number }> {
  const provider = await startLeakyProvider()
  const gateway = await openGateway(forwardTo(provider.url, undefined, createMeter(), gatewayRules(['m'])), {
    isolated: false,
  })
  onTestFinished(async () => {
    await gateway.close()
    provider.server.closeAllConnections()
    provider.server.close()
  })
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, gateway.url), { method: 'POST' }, async (reply) => {
      const said = await text(reply)
      resolve({ status: reply.statusCode ?? 0, said, passed: provider.received.length })
    })
    asked.on('error', reject).end(JSON.stringify(body))
  })
}

const messages = [{ role: 'user', content: 'Hi' }]
const chat = { model: 'm', messages }

it.each<[string, object, string]>([
  ['/v1/chat/completions', { ...chat, stream: 'yes' }, '"stream" that is not true or false'],
  ['/v1/chat/completions', { ...chat, stream: 1 }, '"stream" that is not true or false'],
  [
    '/v1/chat/completions',
    { ...chat, stream: true, stream_options: 'all' },
    '"stream_options" that is not an object',
  ],
  [
    '/v1/chat/completions',
    { ...chat, stream: true, stream_options: [] },
    '"stream_options" that is not an object',
  ],
  [
    '/v1/chat/completions',
    { ...chat, stream: true, stream_options: { include_usage: 'true' } },
    '"stream_options.include_usage" that is not true or false',
  ],
  ['/v1/chat/completions', { ...chat, model: ['m'] }, '"model" that is not a text'],
  ['/v1/chat/completions', { ...chat, messages: messages[0] }, '"messages" that is not a list'],
  ['/v1/messages', { ...chat, stream: 'true' }, '"stream" that is not true or false'],
  ['/v1/messages', { ...chat, messages: {} }, '"messages" that is not a list'],
  ['/v1/responses', { model: 'm', input: 'Hi', stream: {} }, '"stream" that is not true or false'],
  ['/v1beta/models/m:generateContent', { model: 5, contents: [] }, '"model" that is not a text'],
])('to %s %j is refused as a mistake of the program, in the form of the vendor', async (path, body, what) => {
  const { status, said, passed } = await ask(path, body)
  expect({ status, passed }).toEqual({ status: 400, passed: 0 })
  expect(JSON.parse(said).error.message).toContain(`has a field ${what}`)
})

it('a field that is null is as good as absent', async () => {
  const body = { ...chat, stream: null, stream_options: null }
  expect(await ask('/v1/chat/completions', body)).toMatchObject({ passed: 1 })
})
