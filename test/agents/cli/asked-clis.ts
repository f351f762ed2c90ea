import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { writeFakeClis } from './fake-clis.ts'

export const key = 'sk-a-real-key-0123456789'
const bin = writeFakeClis()
const completion = JSON.stringify({
  object: 'chat.completion',
  choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
})

/** The requests that reached the provider. */
export const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = []
const provider = createServer(async (request, response) => {
  const body = await text(request)
  requests.push({ path: request.url ?? '', headers: request.headers, body })
  const json = { 'content-type': 'application/json' }
  if (body.includes('[refused]')) response.writeHead(429, { ...json, 'retry-after': '3' }).end('{}')
  else if (body.includes('[counted]')) response.writeHead(200, json).end(completion)
  else if (body.includes('[cut]')) response.writeHead(200, json).write('{"obj', () => response.destroy())
  else response.end('a model')
})
const restoreEnvironment = keepEnvironment()

beforeAll(async () => {
  process.env.PATH = `${bin}:${process.env.PATH}`
  process.env.TEST_CLI_KEY = key
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  restoreEnvironment()
  provider.close()
})

export const names = [
  'claude-cli:sonnet',
  'codex-cli:gpt',
  'gemini-cli:flash',
  'opencode-cli:any',
  'qwen-cli:coder',
] as const

/** Makes an agent whose provider is the server of these tests. */
export async function agentOf(name: string, sandbox: SandboxChoice = 'none'): Promise<Agent> {
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/base/v1`
  const environment = {
    tasks: [],
    profile: undefined,
    trySubmission: () => Promise.reject(new Error('not here')),
    run: 'run-1',
    sandbox: lazySandbox(sandbox),
    endpoints: { [name.split(':')[0] as string]: { baseUrl, keyVariable: 'TEST_CLI_KEY' } },
  }
  return (await createAgents({ '*': name }, environment)).get(name) as Agent
}
