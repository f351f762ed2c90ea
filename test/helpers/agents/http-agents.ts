import { afterEach } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { families } from '../../../src/agents/http/families.ts'
import type { Family } from '../../../src/agents/http/family.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'
import type { PriceFile } from '../../../src/schema/agent/prices.ts'
import type { Answer, Script, Usage } from '../../model-server/script.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'
import { agentRequest, type Wanted } from './agent-request.ts'
import { pricedModels } from './kinds-of-agents.ts'

/** The key that the agents send. */
export const key = 'sk-test-0123456789abcdef'
const keyVariable = 'HTTP_AGENT_TEST_KEY'
process.env[keyVariable] = key

/** One agent of each provider in `src/agents/http/families.ts`, so that the tests cover a new one. */
export const agents = families.map(({ name }) => `${name}:${pricedModels[name] ?? 'local-model'}`)

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Starts a model server that is closed after the test. */
export const serve = async (script: Script) => {
  const server = await startModelServer(script)
  servers.push(server)
  return server
}

/** Makes the agent of that name, which asks the server at `url`, with settings of its own or without. */
export async function agentAt(
  name: string,
  url: string,
  { prices, setting }: { prices?: PriceFile; setting?: AgentSetting } = {},
): Promise<Agent> {
  const family = families.find((one) => one.name === name.slice(0, name.indexOf(':'))) as Family
  const baseUrl = family.version === undefined ? `${url}/v1` : url
  const environment = {
    tasks: [],
    profile: undefined,
    trySubmission: () => Promise.reject(new Error('not here')),
    sandbox: lazySandbox('none'),
    run: 'run-1',
    prices,
    ...(setting && { settings: { [`own=${name}`]: setting } }),
    endpoints: { [family.name]: { baseUrl, keyVariable } },
  }
  const recorded = setting ? `own=${name}` : name
  return (await createAgents({ '*': recorded }, environment)).get(recorded) as Agent
}

/** Asks once and returns the reply and the server. */
export async function exchange(name: string, script: Script, wanted: Wanted = {}) {
  const server = await serve(script)
  const agent = await agentAt(name, server.url)
  const reply = await agent.ask(agentRequest(wanted), new AbortController().signal)
  return { reply, server }
}

/** The usage that a server reports. */
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
