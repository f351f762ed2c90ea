import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import { ask, foldersOfTrial, trial } from '../../agents/cli/cli-trial.ts'
import { writeFakeClis } from '../../agents/cli/fake-clis.ts'
import { agentContract } from '../../helpers/agents/agent-contract.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { answerTask } from '../../helpers/runs/trial.ts'

const key = 'sk-a-real-key-0123456789'
const bin = writeFakeClis()
const completion = JSON.stringify({
  object: 'chat.completion',
  choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
})

/** The requests that reached the provider. */
const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = []
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

const names = [
  'claude-cli:sonnet',
  'codex-cli:gpt',
  'gemini-cli:flash',
  'opencode-cli:any',
  'qwen-cli:coder',
] as const

/** Makes an agent whose provider is the server of these tests. */
async function agentOf(name: string, sandbox: SandboxChoice = 'none'): Promise<Agent> {
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

/** The paths of the models of the programs. */
const asked: Readonly<Record<(typeof names)[number], string>> = {
  'claude-cli:sonnet': '/base/v1/v1/messages',
  'codex-cli:gpt': '/base/v1/responses',
  'gemini-cli:flash': '/base/v1/v1beta/models/flash:generateContent',
  'opencode-cli:any': '/base/v1/chat/completions',
  'qwen-cli:coder': '/base/v1/chat/completions',
}
const given = (reply: AgentReply) => JSON.parse(reply.text)

// The heavy tests hold the other ones to it, too.
describe(`${names[0]} keeps to the contract`, () => {
  agentContract({
    ...{ create: () => agentOf(names[0]), task: answerTask(), deterministic: false },
    folders: foldersOfTrial,
  })
})

describe.each(names)('%s', (name) => {
  it('gets any prompt on standard input, and nothing of it as an argument', async () => {
    const prompt = `quotes " ' and $(touch /tmp/never) and \`back\`\nlines ${'long '.repeat(40_000)}`
    const reply = await ask(await agentOf(name), trial().request({ prompt }))
    expect(reply.error).toBeUndefined()
    expect(given(reply).prompt).toContain(prompt)
    expect(given(reply).args.join(' ')).not.toContain('quotes')
    expect(reply.tokens).toMatchObject({ input: 100, output: 10, cached: 40 })
  })

  it('reaches its provider through the gateway, which holds the key', async () => {
    requests.length = 0
    const reply = await ask(await agentOf(name), trial().request({ prompt: 'hello' }))
    const { headers, path, body } = requests[0] as (typeof requests)[0]
    expect(path).toBe(asked[name])
    expect(headers.authorization).toBe(`Bearer ${key}`)
    expect(headers['x-api-key']).toBe(key)
    expect(body).toContain('hello')
    expect(given(reply)).toMatchObject({ received: 'a model', status: 200 })
    expect(JSON.stringify(reply)).not.toContain(key)
    expect(given(reply).env).not.toContain('TEST_CLI_KEY')
  })

  it('resumes its own session and reports the usage of each call alone', async () => {
    const { request } = trial({ session: 's' })
    const agent = await agentOf(name)
    const first = await ask(agent, request({ prompt: 'one', turns: [] }))
    const second = await ask(agent, request({ prompt: 'two', turns: [{ prompt: 'one', reply: first.text }] }))
    expect(first.continued).toBeUndefined()
    expect(second.continued).toBe('resumed')
    expect(given(second)).toMatchObject({ resumed: true, prompt: 'two' })
    expect(given(second).args).toContain('session-1')
    expect(second.tokens).toMatchObject({ input: 100, output: 10, cached: 40 })
    if (name.startsWith('claude')) expect(second.reportedCostUsd).toBe(0.5)
  })

  it('gets all turns again if it does not hold the session: after a crash, in another branch, after a failed call', async () => {
    const agent = await agentOf(name)
    const turns = [{ prompt: 'one', reply: 'uno' }]
    const reply = await ask(agent, trial().request({ session: 's', prompt: 'two', turns }))
    expect(reply.continued).toBe('retold')
    expect(given(reply).resumed).toBe(false)
    expect(given(reply).prompt).toMatch(/one[\s\S]*uno[\s\S]*two/)
    expect(reply.tokens).toMatchObject({ input: 100, output: 10 })
  })
})

describe('an agent CLI', () => {
  it('gets NUL and lone surrogates as visible characters', async () => {
    const reply = await ask(await agentOf('gemini-cli:flash'), trial().request({ prompt: 'a\0b \ud800 c' }))
    expect(given(reply).prompt).toContain('a\u2400b \ufffd c')
  })

  it('has the tokens that its provider reported, whatever the program reports', async () => {
    const reply = await ask(await agentOf('codex-cli:gpt'), trial().request({ prompt: '[counted]' }))
    expect(reply.tokens).toEqual({ input: 7, output: 3, cached: 2 })
    expect(reply.usage).toMatchObject({ input_tokens: 100 })
  })

  it('fails for the reason that the gateway saw, with the provider’s waiting time', async () => {
    const reply = await ask(await agentOf('codex-cli:gpt'), trial().request({ prompt: '[refused] [die]' }))
    expect(reply.error).toMatchObject({ reason: 'quota', retryAfterMs: 3000 })
    expect(reply).toMatchObject({ tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 })
    expect(reply.reportedCostUsd).toBeUndefined()
  })

  it('has no tokens and no cost if a reply broke off, whatever the program reports', async () => {
    const reply = await ask(await agentOf('claude-cli:sonnet'), trial().request({ prompt: '[cut]' }))
    expect(reply).toMatchObject({ tokens: { input: null, output: null }, costUsd: null })
  })

  it('gets all turns again after it was killed in the middle of a turn', async () => {
    const { request } = trial({ session: 's' })
    const agent = await agentOf('claude-cli:sonnet')
    const first = await ask(agent, request({ prompt: 'one', turns: [] }))
    const turns = [{ prompt: 'one', reply: first.text }]
    await ask(agent, request({ prompt: '[hang]', turns, timeoutMs: 700 }))
    expect((await ask(agent, request({ prompt: 'two', turns }))).continued).toBe('retold')
  })

  it('works in the folder of the trial', async () => {
    const { workspace, request } = trial()
    await ask(await agentOf('gemini-cli:flash'), request({ prompt: '[write of the agent]' }))
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('of the agent')
  })

  it('remembers nothing of another trial', async () => {
    const agent = await agentOf('gemini-cli:flash')
    for (const _ of [1, 2]) expect(given(await ask(agent, trial().request())).calls).toBe(1)
  })

  it('that dies is a failure with unreported tokens', async () => {
    const reply = await ask(await agentOf('gemini-cli:flash'), trial().request({ prompt: '[die]' }))
    expect(reply).toMatchObject({ text: '', tokens: { input: null, output: null }, costUsd: null })
    expect(reply.error?.reason).toBe('exit')
  })

  it('that hangs is ended at its time limit with all its processes, with unreported tokens', async () => {
    const reply = await ask(
      await agentOf('gemini-cli:flash'),
      trial().request({ prompt: '[hang]', timeoutMs: 700 }),
    )
    expect(reply).toMatchObject({ text: '', tokens: { input: null, output: null }, costUsd: null })
    expect(reply.error).toEqual({ reason: 'timeout', message: 'no whole reply in 700 ms' })
  })

  it('rejects when the run is stopped', async () => {
    const stop = new AbortController()
    const asked = (await agentOf('gemini-cli:flash')).ask(trial().request({ prompt: '[hang]' }), stop.signal)
    setTimeout(() => stop.abort(new Error('stopped')), 500)
    await expect(asked).rejects.toThrow('stopped')
  })

  it('reports its version', async () => {
    expect(await (await agentOf('gemini-cli:flash')).version?.()).toBe('1.2.3')
  })

  needs('bwrap').it('works in the sandbox as outside', async () => {
    const { workspace, request } = trial()
    const reply = await ask(
      await agentOf('claude-cli:sonnet', 'bubblewrap'),
      request({ prompt: '[write inside]' }),
    )
    expect(reply.error).toBeUndefined()
    expect(given(reply)).toMatchObject({ received: 'a model', status: 200 })
    expect(given(reply).args).toContain('--dangerously-skip-permissions')
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('inside')
    expect(existsSync('/tmp/never')).toBe(false)
  })

  it('reports before a run that its program or its key is missing', async () => {
    const path = process.env.PATH
    process.env.PATH = '/nonexistent'
    const missing = await (await agentOf('gemini-cli:flash')).missing?.()
    process.env.PATH = path
    expect(missing).toMatchSnapshot()
  })
})

describe.each(['codex-cli:gpt', 'gemini-cli:flash', 'opencode-cli:any', 'qwen-cli:coder'])(
  '%s keeps to the contract',
  (name) => {
    agentContract({
      ...{ create: () => agentOf(name), task: answerTask(), deterministic: false, folders: foldersOfTrial },
    })
  },
)
