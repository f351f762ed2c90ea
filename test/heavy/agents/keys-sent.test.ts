import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import type { EndpointSettings } from '../../../src/agents/http/endpoint.ts'
import { families } from '../../../src/agents/http/families.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'
import { ask, trial } from '../../agents/cli/cli-trial.ts'
import { writeFakeClis } from '../../agents/cli/fake-clis.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { type RecordingServer, startRecordingServer } from '../../helpers/servers/recording-server.ts'

/** Variables that hold keys, known to bench or not. Each gets a value of its own. */
const variables = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_ADMIN_KEY'],
  ...['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY', 'DASHSCOPE_API_KEY'],
  ...['OPENAI_COMPATIBLE_API_KEY', 'OPENROUTER_API_KEY', 'OLLAMA_API_KEY', 'MINE_API_KEY', 'GITHUB_TOKEN'],
  ...families.flatMap(({ keyVariables }) => keyVariables),
].filter((variable, index, all) => all.indexOf(variable) === index)
const fakeOf = (variable: string) => `key-of-${variable.toLowerCase().replaceAll('_', '-')}-0123456789`

/** The variable with the address of each server, by the provider whose server it is. */
const addresses: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    families.flatMap(({ name, baseUrlVariable }) =>
      baseUrlVariable === undefined ? [] : [[name, baseUrlVariable]],
    ),
  ),
  ollama: 'OLLAMA_HOST',
}

/** Each kind of agent that asks a model, the server that it asks, and the one variable whose key may go there. */
const kinds: readonly { name: string; place: string; variable?: string | undefined }[] = [
  ...families
    .filter(({ name }) => name in addresses)
    .map(({ name, keyVariables }) => ({ name: `${name}:m`, place: name, variable: keyVariables[0] })),
  { name: 'ollama:m', place: 'ollama' },
  { name: 'claude-cli:m', place: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
  { name: 'codex-cli:m', place: 'openai', variable: 'OPENAI_API_KEY' },
  { name: 'gemini-cli:m', place: 'google', variable: 'GEMINI_API_KEY' },
  { name: 'opencode-cli:m', place: 'openai-compatible', variable: 'OPENAI_COMPATIBLE_API_KEY' },
  { name: 'qwen-cli:m', place: 'openai-compatible', variable: 'OPENAI_COMPATIBLE_API_KEY' },
]
const withKey = kinds.filter(({ variable }) => variable !== undefined)

const bin = writeFakeClis()
const restoreEnvironment = keepEnvironment()
const servers: Record<string, RecordingServer> = {}
const serverAt = (place: string) => servers[place] as RecordingServer
beforeAll(async () => {
  for (const place of [...Object.keys(addresses), 'foreign']) servers[place] = await startRecordingServer()
})
beforeEach(() => {
  for (const variable of variables) process.env[variable] = fakeOf(variable)
  for (const [place, variable] of Object.entries(addresses))
    process.env[variable] = `${serverAt(place).url}/v1`
  process.env.OLLAMA_HOST = serverAt('ollama').url
  process.env.PATH = `${bin}:${process.env.PATH}`
  for (const { requests } of Object.values(servers)) requests.length = 0
})
afterEach(restoreEnvironment)
afterAll(() => {
  for (const server of Object.values(servers)) server.close()
})

interface Given {
  /** Settings of the provider in the config file. */
  provider?: EndpointSettings
  /** Settings of the agent in the config file. */
  agent?: AgentSetting
}

async function agentOf(plain: string, { provider, agent }: Given = {}): Promise<Agent> {
  const name = agent ? `mine=${plain}` : plain
  const kind = plain.split(':')[0] as string
  const environment = {
    tasks: [],
    profile: undefined,
    trySubmission: () => Promise.reject(new Error('not here')),
    run: 'run-1',
    sandbox: lazySandbox('none'),
    endpoints: provider && { [kind]: provider },
    settings: agent && { [name]: agent },
  }
  return (await createAgents({ '*': name }, environment)).get(name) as Agent
}

/** Asks once. Returns what the agent is missing, and which keys reached which server. */
async function asked(name: string, given?: Given) {
  const agent = await agentOf(name, given)
  const { error } = await ask(agent, trial().request({ prompt: 'hello' }))
  const problems = (await agent.missing?.()) ?? []
  return { problems: problems.map(({ what, fix }) => `${what}. ${fix}`).join(' '), error, sent: keysSent() }
}

const keysSent = () =>
  Object.entries(servers).flatMap(([place, { requests }]) => {
    const all = requests.join('\n')
    return variables
      .filter((variable) => all.includes(fakeOf(variable)))
      .map((variable) => `${variable} to ${place}`)
  })
const requestCount = (place: string) => serverAt(place).requests.length

describe.each(kinds)('$name', ({ name, place, variable }) => {
  it('sends only its server’s key, and only to its server, if every key is set', async () => {
    const { sent } = await asked(name)
    expect(requestCount(place)).toBeGreaterThan(0)
    expect(sent).toEqual(variable === undefined ? [] : [`${variable} to ${place}`])
  })
})

describe.each(withKey)('$name', ({ name, place, variable = '' }) => {
  const family = families.find((one) => `${one.name}:m` === name)
  const isOptional = family?.keyOptional ?? false
  const ownKeys = family?.keyVariables ?? [variable]

  it('sends nothing if only other keys are set, and names the missing variable', async () => {
    for (const one of ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY', 'CODEX_API_KEY', ...ownKeys])
      delete process.env[one]
    const { problems, sent } = await asked(name)
    expect(sent).toEqual([])
    if (isOptional) expect(requestCount(place)).toBe(1)
    else {
      expect(problems).toContain(`${variable} is not set`)
      expect(requestCount(place)).toBe(0)
    }
  })

  it('sends no key to an address of the config file that the key was not named with', async () => {
    const baseUrl = `${serverAt('foreign').url}/v1`
    for (const given of [{ provider: { baseUrl } }, { agent: { baseUrl } }]) {
      const { problems, sent } = await asked(name, given)
      expect(sent).toEqual([])
      if (!isOptional)
        expect(problems).toMatch(
          /its key is not set: \w+ belongs to .* Set keyVariable, beside baseUrl, to the name/,
        )
    }
    expect(requestCount('foreign')).toBe(isOptional ? 2 : 0)
  })

  it('sends any key that the config file names together with an address', async () => {
    const pair = { baseUrl: `${serverAt('foreign').url}/v1`, keyVariable: 'OPENROUTER_API_KEY' }
    for (const given of [{ provider: pair }, { agent: pair }]) {
      serverAt('foreign').requests.length = 0
      expect((await asked(name, given)).sent).toEqual(['OPENROUTER_API_KEY to foreign'])
    }
  })

  it('does not send a key that the file names for another address of its provider', async () => {
    const provider = { baseUrl: `${serverAt(place).url}/v1`, keyVariable: 'MINE_API_KEY' }
    const given = { provider, agent: { baseUrl: `${serverAt('foreign').url}/v1` } }
    const { problems, sent } = await asked(name, given)
    expect(sent).toEqual([])
    expect(problems).toMatch(/MINE_API_KEY .*keyVariable/)
    expect(requestCount('foreign')).toBe(0)
  })

  it('refuses a key of another vendor that the file names without an address', async () => {
    const others =
      name.includes('anthropic') || name.includes('claude') ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY'
    const { problems, sent } = await asked(name, { provider: { keyVariable: others } })
    expect(sent).toEqual([])
    expect(problems).toMatch(new RegExp(`${others} belongs to .*baseUrl`))
  })

  it.each(name.includes('-cli') ? [302, 307] : [301, 302, 303, 307, 308])(
    'sends no key after a redirect (%i) to another server',
    async (status) => {
      const server = await startRecordingServer(() => ({
        status,
        to: `${serverAt('foreign').url}/v1/elsewhere`,
      }))
      const { sent, error } = await asked(name, { provider: { baseUrl: server.url, keyVariable: variable } })
      server.close()
      expect(sent).toEqual([])
      expect(server.requests.join()).toContain(fakeOf(variable))
      if (!name.includes('-cli')) {
        expect(requestCount('foreign')).toBe(0)
        expect(error).toMatchObject({
          reason: 'not-found',
          message: expect.stringContaining(`redirects to ${serverAt('foreign').url}/v1/elsewhere`),
        })
      }
    },
  )
})

describe('cli:m', () => {
  const program = {
    command: [join(bin, 'claude'), '{model}'],
    env: { ANTHROPIC_BASE_URL: '{baseUrl}' },
    keyInside: 'ANTHROPIC_API_KEY',
    text: '$.result',
  }

  it('sends the key only if both the variable and the address are named', async () => {
    const baseUrl = serverAt('foreign').url
    const keyVariable = 'MINE_API_KEY'
    expect((await asked('cli:m', { agent: { program, baseUrl, keyVariable } })).sent).toEqual([
      'MINE_API_KEY to foreign',
    ])
    serverAt('foreign').requests.length = 0
    expect((await asked('cli:m', { agent: { program, baseUrl } })).sent).toEqual([])
    expect((await asked('cli:m', { agent: { program, keyVariable } })).sent).toEqual([])
    expect(requestCount('foreign')).toBe(1)
  })
})

describe('a redirect within one server', () => {
  it.each([307, 308])('is followed with the key (%i)', async (status) => {
    const server = await startRecordingServer((path) =>
      path.endsWith('/there') ? undefined : { status, to: '/there' },
    )
    const provider = { baseUrl: server.url, keyVariable: 'MINE_API_KEY' }
    const { error } = await asked('anthropic:m', { provider })
    server.close()
    expect(server.requests).toHaveLength(2)
    for (const request of server.requests) expect(request).toContain(fakeOf('MINE_API_KEY'))
    expect(error).toMatchObject({ reason: 'not-found', message: expect.stringContaining('404') })
  })

  it('in a loop is a failure', async () => {
    const server = await startRecordingServer(() => ({ status: 308, to: '/round' }))
    const { error } = await asked('google:m', {
      provider: { baseUrl: server.url, keyVariable: 'MINE_API_KEY' },
    })
    server.close()
    expect(server.requests.length).toBeLessThan(10)
    expect(error).toMatchObject({ reason: 'not-found', message: expect.stringContaining('redirects to') })
  })
})

describe('ollama:m', () => {
  it.each([302, 307])('sends no prompt after a redirect (%i) to another server', async (status) => {
    const server = await startRecordingServer((path) =>
      path === '/api/chat' ? { status, to: `${serverAt('foreign').url}/api/chat` } : undefined,
    )
    const { error } = await asked('ollama:m', { provider: { baseUrl: server.url } })
    server.close()
    expect(server.requests.join()).toContain('hello')
    expect(requestCount('foreign')).toBe(0)
    expect(error).toMatchObject({ reason: 'not-found', message: expect.stringContaining('redirects to') })
  })
})

describe('openai-compatible', () => {
  it('calls a server of the config file without a key if the key belongs to another server', async () => {
    const { problems, sent } = await asked('openai-compatible:m', {
      agent: { baseUrl: serverAt('foreign').url },
    })
    expect({ problems, sent, requests: requestCount('foreign') }).toEqual({
      problems: '',
      sent: [],
      requests: 1,
    })
  })

  it('refuses if a key is set and nothing says which server it belongs to', async () => {
    delete process.env.OPENAI_COMPATIBLE_BASE_URL
    const { problems } = await asked('openai-compatible:m', { agent: { baseUrl: serverAt('foreign').url } })
    expect(problems).toContain('OPENAI_COMPATIBLE_API_KEY belongs to OPENAI_COMPATIBLE_BASE_URL, not to')
    expect(requestCount('foreign')).toBe(0)
  })

  it('sends the key that the file names for the provider to its agents’ addresses', async () => {
    delete process.env.OPENAI_COMPATIBLE_BASE_URL
    const given = { provider: { keyVariable: 'MINE_API_KEY' }, agent: { baseUrl: serverAt('foreign').url } }
    expect((await asked('openai-compatible:m', given)).sent).toEqual(['MINE_API_KEY to foreign'])
  })
})
