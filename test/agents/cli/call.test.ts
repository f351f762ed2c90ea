import { describe, expect, it, onTestFinished } from 'vitest'
import { callCli } from '../../../src/agents/cli/call.ts'
import { endedReply, explainError } from '../../../src/agents/cli/explain-error.ts'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import type { RequestFailure } from '../../../src/agents/gateway/request-failure.ts'
import { openGateway } from '../../../src/sandbox/gateway.ts'
import type { Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { SandboxResult } from '../../../src/sandbox/sandbox.ts'
import { startModelServer } from '../../model-server/server.ts'

/** Calls claude-cli with a model, in a sandbox whose program only sends these bodies. Returns the statuses of the replies. */
async function statusesOf(model: string, bodies: readonly object[]) {
  const server = await startModelServer([{ text: 'Hello', always: true }])
  onTestFinished(() => server.close())
  const statuses: number[] = []
  const kind = cliKinds.find(({ name }) => name === 'claude-cli')
  if (!kind) throw new Error('no kind claude-cli')
  const run: Sandbox['run'] = async ({ place }) => {
    const { url } = (place as { gateway: { url: string } }).gateway
    for (const body of bodies) {
      const sent = { method: 'POST', body: JSON.stringify({ max_tokens: 1, messages: [], ...body }) }
      statuses.push((await fetch(`${url}/v1/messages`, sent)).status)
    }
    return {} as SandboxResult
  }
  const sandbox = {
    run,
    openGateway: (onRequest, refuse) => openGateway(onRequest, { isolated: false, refuse }),
  } as Sandbox
  const call = { model, providerTools: false } as Parameters<typeof callCli>[1]['call']
  const rest = {
    key: undefined,
    workspace: '/',
    home: '/',
    prompt: '',
    retold: '',
    timeoutMs: 1000,
    limits: undefined,
  }
  const signal = new AbortController().signal
  await callCli(kind, {
    ...rest,
    sandbox,
    baseUrl: server.url,
    call,
    signal,
    price: () => ({ costUsd: null }),
  })
  return statuses
}

it('an agent without a model, or with a short name, is held to the first model that passes, not to one that is refused', async () => {
  const refused = { model: 'claude-sonnet-4', container: 'c_1' }
  const own = { model: 'claude-sonnet-5' }
  const other = { model: 'claude-sonnet-6' }
  for (const model of ['sonnet', ''])
    expect(await statusesOf(model, [refused, own, other, own]), model).toEqual([403, 200, 403, 200])
})

const refusal: RequestFailure = { reason: 'key', certain: true, status: 401, words: 'Bad key.' }
const down: RequestFailure = { reason: 'server', certain: true, status: 503, words: '', retryAfterMs: 500 }
const none = { failure: undefined, outage: undefined, finish: undefined }

describe('the error of a program', () => {
  it('gets the reason that the gateway saw, and the server’s words if it does not have them', () => {
    const seen = { ...none, failure: refusal }
    expect(explainError({ reason: 'exit', message: 'It failed.' }, seen)).toMatchSnapshot()
    expect(explainError({ reason: 'exit', message: '{"error":{"message":"Bad key."}}' }, seen).message).toBe(
      'Bad key.',
    )
    expect(explainError({ reason: 'network', message: 'lost' }, { ...none, failure: down })).toMatchSnapshot()
  })

  it('keeps a reason that is more specific', () => {
    const error = { reason: 'context-overflow', message: 'too long' } as const
    expect(explainError(error, { ...none, failure: refusal }).reason).toBe('context-overflow')
  })

  it('is an outage if the program spent its time on one, and else a timeout', () => {
    const error = { reason: 'timeout', message: 'no whole reply in 9 ms' } as const
    expect(explainError(error, { ...none, failure: down, outage: down }).reason).toBe('server')
    expect(explainError(error, { ...none, failure: down })).toEqual(error)
  })

  it('is the end of the last reply if it has no other reason', () => {
    const error = { reason: 'exit', message: 'ended with exit code 1 and no JSON' } as const
    const reasonOf = (finish: 'stop' | 'length' | 'refusal') =>
      explainError(error, { ...none, finish }).reason
    expect([reasonOf('stop'), reasonOf('length'), reasonOf('refusal')]).toEqual(['exit', 'empty', 'refusal'])
  })

  it('is a refusal or an empty reply if the last reply ended as one, though the program calls it a broken stream', () => {
    const error = { reason: 'network', message: 'Model stream ended without a finish reason.' } as const
    const refused = { ...none, finish: 'refusal' } as const
    expect(explainError(error, refused).reason).toBe('refusal')
    expect(explainError(error, { ...none, finish: 'length' }).reason).toBe('empty')
    expect(explainError(error, { ...none, finish: 'stop' }).reason).toBe('network')
    expect(explainError(error, { ...refused, failure: down }).reason).toBe('server')
    expect(endedReply(refused)?.reason).toBe('refusal')
    expect(endedReply({ ...refused, failure: down })).toBeUndefined()
    expect(endedReply({ ...none, finish: 'length' })).toBeUndefined()
  })
})
