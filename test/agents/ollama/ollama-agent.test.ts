import { afterEach, describe, expect, it } from 'vitest'
import {
  createOllama,
  isInstalled,
  ollamaAddress,
  tierFor,
  tiers,
} from '../../../src/agents/ollama/ollama-agent.ts'
import { agentContract } from '../../helpers/agents/agent-contract.ts'
import { agentRequest, answerTask, type Wanted } from '../../helpers/agents/agent-request.ts'
import type { Answer, Script } from '../../model-server/script.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'

describe('ollama agent', () => {
  const servers: ModelServer[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  const small = ['llama3.1:8b', 'mistral:7b', 'qwen2.5-coder:7b', 'test:latest']
  const serve = async (script: Script, ollamaModels: readonly string[] = small) => {
    const server = await startModelServer(script, { ollamaModels })
    servers.push(server)
    return server
  }
  const agentAt = (address: string, model = 'test', gib = 8) =>
    createOllama(model, { run: 'run-1', address, memory: async () => ({ kind: 'nvidia', gib }) })

  async function exchange(script: Script, wanted: Wanted = {}, model = 'test') {
    const server = await serve(script)
    const reply = await agentAt(server.url, model).ask(agentRequest(wanted), new AbortController().signal)
    return { reply, asked: server.log.filter(({ wire, number }) => wire === 'ollama' && number > 0) }
  }

  const hello: Answer = { text: 'Hello, world', thinking: 'They greet.' }

  describe('ollama keeps to the contract', () => {
    agentContract({
      create: async () => agentAt((await serve([{ ...hello, always: true }])).url),
      task: answerTask(),
      deterministic: false,
    })
  })

  describe('the agent of local models', () => {
    it('returns the text, and the tokens as the server counts them', async () => {
      const { reply, asked } = await exchange([hello])
      const { usage } = asked[0] as { usage: { input: number; output: number } }
      expect(reply).toMatchObject({ text: 'Hello, world', model: 'test', costUsd: null })
      expect(reply.tokens).toEqual({ input: usage.input, output: usage.output, cached: null })
    })

    it('loads the model with the context of the tier, so that long prompts are refused instead of cut', async () => {
      const { asked } = await exchange([hello], { maxOutput: 77, system: 'Be short.' })
      expect(asked[0]?.body).toMatchObject({
        truncate: false,
        shift: false,
        options: { num_ctx: 8192, num_predict: 77 },
        messages: [{ role: 'system', content: expect.stringMatching(/^\[[0-9a-f]{24}\]\nBe short\.$/) }, {}],
      })
    })

    it.each([
      ['status', { kind: 'status', status: 500 }, 'server'],
      ['missing model', { kind: 'status', status: 404, message: 'model "x" not found' }, 'not-found'],
      [
        'too long',
        { kind: 'status', status: 400, message: 'the input length exceeds the context length' },
        'context-overflow',
      ],
      ['cut', { kind: 'cut' }, 'network'],
      ['early cut', { kind: 'cut', early: true }, 'network'],
      ['malformed', { kind: 'malformed' }, 'server'],
      ['error event', { kind: 'error-event', message: 'out of memory' }, 'server'],
    ] as const)('reports a failure (%s) with its reason', async (_, failure, reason) => {
      const { reply } = await exchange([{ ...hello, failure }])
      expect(reply.error?.reason).toBe(reason)
      if (failure.kind !== 'malformed') expect(reply.tokens.input).toBe(failure.kind === 'status' ? 0 : null)
    })

    it('ends the call when its time is up', async () => {
      const server = await serve([{ failure: { kind: 'hang' } }])
      const request = agentRequest({ timeoutMs: 60 })
      const reply = await agentAt(server.url).ask(request, new AbortController().signal)
      expect(reply.error?.reason).toBe('timeout')
      await expect.poll(() => server.log.filter(({ number }) => number === 1)).toHaveLength(1)
    })

    it('calls the tier’s model for each kind of work', async () => {
      const models: unknown[] = []
      for (const [role, work] of [
        ['code-generator', 'produce'],
        ['auditor', 'judge'],
        ['summarizer', 'summarise'],
        ['refiner', 'decide'],
      ] as const) {
        const { asked } = await exchange([hello], { role, work }, '')
        models.push(asked[0]?.model)
      }
      expect(models).toEqual(['qwen2.5-coder:7b', 'mistral:7b', 'llama3.1:8b', 'llama3.1:8b'])
    })

    it('falls back to the tier’s other model if one is not installed', async () => {
      const server = await serve([hello], ['llama3.2:3b'])
      const agent = agentAt(server.url, '')
      expect(await agent.missing?.()).toEqual([])
      const reply = await agent.ask(agentRequest(), new AbortController().signal)
      expect(reply.model).toBe('llama3.2:3b')
    })

    it('reports before a run which models are missing and how to get them', async () => {
      const server = await serve([], ['other:1b'])
      const named = await agentAt(server.url, 'qwen3').missing?.()
      expect(named?.map(({ fix }) => fix)).toEqual(['Run `ollama pull qwen3`. Installed: other:1b.'])
      const tiered = await agentAt(server.url, '').missing?.()
      expect(tiered?.map(({ fix }) => fix)).toMatchSnapshot()
    })

    it('reports that no server answers, and fails with reason network when it is asked', async () => {
      const server = await serve([])
      await server.close()
      const agent = agentAt(server.url)
      const [problem] = (await agent.missing?.()) ?? []
      expect(problem?.what).toContain(`no Ollama answers at ${server.url}`)
      const reply = await agent.ask(agentRequest(), new AbortController().signal)
      expect(reply.error?.reason).toBe('network')
    })
  })
})

describe('the tiers of local models', () => {
  it('are five, each with a higher memory bound than the one before', () => {
    const bounds = tiers.map(({ fromGib }) => fromGib)
    expect(bounds).toHaveLength(5)
    expect(bounds).toEqual([...new Set(bounds)].sort((a, b) => a - b))
  })

  it.each([
    [0, 'cpu'],
    [4, 'cpu'],
    [6, '8gb'],
    [11, '8gb'],
    [15.6, '16gb'],
    [19, '16gb'],
    [23.5, '24gb'],
    [30, '24gb'],
    [47, '48gb'],
    [640, '48gb'],
  ])('give the lower one for %d GiB, which is between two: %s', (gib, name) => {
    expect(tierFor(gib).name).toBe(name)
  })

  it('find a model without a tag as latest', () => {
    expect(isInstalled('qwen3', ['qwen3:latest'])).toBe(true)
    expect(isInstalled('qwen3:8b', ['qwen3:latest'])).toBe(false)
  })
})

describe('the address of Ollama', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['box:1234', 'http://box:1234'],
    ['https://box/ollama/', 'https://box/ollama'],
  ])('is read from OLLAMA_HOST %s', (host, address) => {
    expect(ollamaAddress(host)).toBe(address)
  })
})
