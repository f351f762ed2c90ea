import { expect, it, onTestFinished } from 'vitest'
import { callCli } from '../../../src/agents/cli/call.ts'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
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
  const rest = { key: undefined, workspace: '/', home: '/', prompt: '', timeoutMs: 1000, limits: undefined }
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
