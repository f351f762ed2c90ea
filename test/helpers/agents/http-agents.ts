import { afterEach } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { Answer, Script, Usage } from '../../model-server/script.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'
import { agentRequest, type Wanted } from './agent-request.ts'

/** What the servers are told as a key. */
export const key = 'sk-test-0123456789abcdef'
const keyVariable = 'HTTP_AGENT_TEST_KEY'
process.env[keyVariable] = key

/** One model of each family; those of vendors stand in the price table. */
export const agents = [
  'anthropic:claude-sonnet-4-5',
  'openai:gpt-5',
  'google:gemini-2.5-pro',
  'openai-compatible:local-model',
] as const

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A model server that is closed after the test. */
export const serve = async (script: Script) => {
  const server = await startModelServer(script)
  servers.push(server)
  return server
}

/** An agent of that name at a server there. */
export async function agentAt(name: string, url: string): Promise<Agent> {
  const family = name.slice(0, name.indexOf(':'))
  const baseUrl = family === 'openai-compatible' ? `${url}/v1` : url
  const environment = {
    tasks: [],
    profile: undefined,
    tryCandidate: () => Promise.reject(new Error('not here')),
    sandbox: lazySandbox('none'),
    run: 'run-1',
    endpoints: { [family]: { baseUrl, keyVariable } },
  }
  return (await createAgents({ '*': name }, environment)).get(name) as Agent
}

/** Asks once; gives the reply and the server. */
export async function exchange(name: string, script: Script, wanted: Wanted = {}) {
  const server = await serve(script)
  const agent = await agentAt(name, server.url)
  const reply = await agent.ask(agentRequest(wanted), new AbortController().signal)
  return { reply, server }
}

/** What a server says that it counted. */
export const counted: Usage = {
  input: 1000,
  cached: 300,
  cacheWrite: 0,
  cacheWriteHour: 0,
  output: 50,
  reasoning: 20,
}
/** A plain answer, and the same after a failure. */
export const hello: Answer = { text: 'Hello, world', thinking: 'They greet.', usage: counted }
export const failing = (failure: Answer['failure']): Answer => ({ ...hello, ...(failure && { failure }) })
