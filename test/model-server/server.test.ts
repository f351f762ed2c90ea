import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { families } from '../../src/agents/http/families.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import type { Answer } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
const serve = async (answers: readonly Answer[]) => {
  const server = await startModelServer(answers)
  servers.push(server)
  return server
}

const input = { path: 'a.mjs', content: 'export const a = "é"\n' }
const answer: Answer = {
  text: 'I write it.',
  thinking: 'A file.',
  toolCalls: [{ name: 'write_file', input }],
  usage: { input: 1000, cached: 300, output: 50, reasoning: 20 },
}
const tools = [
  { type: 'function' as const, name: 'write_file', inputSchema: { type: 'object' as const, properties: {} } },
]
const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Write.' }] }]

it.each(families.map(({ name }) => name))(
  'the model server gives a client of %s the same whole and streamed: text, thinking, tool call, usage',
  async (name) => {
    const server = await serve([{ ...answer, always: true }])
    const family = families.find((one) => one.name === name)
    const baseUrl = `${server.url}${family?.version ?? '/v1'}`
    const address = { model: 'test', baseUrl, key: 'none', fetch }
    const model = await family?.load(address)
    const whole = await model?.doGenerate({ prompt, tools })
    const parts: { type: string; toolName?: string; input?: string; delta?: string }[] = []
    for await (const part of (await model?.doStream({ prompt, tools }))?.stream ?? [])
      parts.push(part as never)

    const called = [...(whole?.content ?? []), ...parts].filter(({ type }) => type === 'tool-call')
    expect(called.map((call) => JSON.parse((call as { input: string }).input))).toEqual([input, input])
    const said = (type: string) => parts.filter((part) => part.type === type).map(({ delta }) => delta)
    expect(said('text-delta').join('')).toBe('I write it.')
    expect(said('reasoning-delta').join('')).toBe('A file.')
    expect(whole?.content).toContainEqual(expect.objectContaining({ type: 'text', text: 'I write it.' }))
    const finish = parts.find(({ type }) => type === 'finish') as unknown as typeof whole
    for (const generated of [whole, finish]) {
      expect(generated?.finishReason.unified).toBe('tool-calls')
      expect(generated?.usage.inputTokens).toMatchObject({ total: 1000, cacheRead: 300 })
      expect(generated?.usage.outputTokens).toMatchObject({ total: 50, reasoning: 20 })
    }
    expect(server.log.map(({ stream, reported }) => [stream, reported])).toEqual([
      [false, true],
      [true, true],
    ])
    for (const generated of Object.values(server.log[0]?.headers ?? {}))
      expect(generated).not.toMatch(/\bnone\b/)
  },
)

it('the model server lists models and counts tokens as each vendor does', async () => {
  const { url } = await serve([])
  const get = async (path: string, headers = {}) => (await fetch(url + path, { headers })).json()
  const post = async (path: string) =>
    (await fetch(url + path, { method: 'POST', body: '{"messages":[]}' })).json()
  expect(await get('/v1/models')).toMatchObject({ object: 'list' })
  expect(await get('/v1/models', { 'anthropic-version': '2023-06-01' })).toMatchObject({ has_more: false })
  expect(await get('/v1beta/models')).toMatchObject({ models: [{ name: 'models/gemini-test' }] })
  expect(await get('/api/tags')).toMatchObject({ models: [{ name: 'test:latest' }] })
  expect(await post('/v1/messages/count_tokens')).toEqual({ input_tokens: expect.any(Number) })
  expect(await post('/v1beta/models/x:countTokens')).toEqual({ totalTokens: expect.any(Number) })
})

it('the model server keeps an answer for its request, and says when none is left', async () => {
  const { url } = await serve([{ text: 'special', when: 'wanted' }, { text: 'first' }])
  const ask = async (content: string) => {
    const body = JSON.stringify({ model: 'test', messages: [{ role: 'user', content }] })
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
    return [response.status, await response.text()] as const
  }
  expect((await ask('anything'))[1]).toContain('first')
  expect((await ask('the wanted one'))[1]).toContain('special')
  expect((await ask('anything'))[0]).toBe(418)
})

it('the model server shows a fault by its name in the words of the vendor that is asked, in one of its forms', async () => {
  const always = true
  const { url } = await serve([
    { fault: 'empty account', form: 1, when: 'another', always },
    { fault: 'empty account', always },
  ])
  const ask = async (path: string, content: string) => {
    const body = JSON.stringify({ model: 'test', stream: true, messages: [{ role: 'user', content }] })
    const response = await fetch(`${url}${path}`, { method: 'POST', body })
    return `${response.status} ${await response.text()}`
  }
  expect(await ask('/v1/messages', '')).toMatch(/^400 .*"invalid_request_error".*credit balance is too low/)
  expect(await ask('/v1/responses', '')).toMatch(/^429 .*insufficient_quota/)
  expect(await ask('/v1/chat/completions', '')).toMatch(/^402 .*Insufficient credits/)
  expect(await ask('/v1/chat/completions', 'another')).toMatch(/^402 .*Insufficient Balance/)
  expect(await ask('/v1beta/models/test:streamGenerateContent', '')).toMatch(/^429 .*RESOURCE_EXHAUSTED/)
  expect(await ask('/api/chat', '')).toMatch(/^418 .*has no fault \\"empty account\\"/)
})

it('the model server runs as a separate process, with a script and a log without keys', async () => {
  const folder = tempFolder()
  const script = join(folder, 'script.json')
  const log = join(folder, 'log.jsonl')
  writeFileSync(script, JSON.stringify([{ text: 'Hello.' }]))
  const main = fileURLToPath(new URL('main.mjs', import.meta.url))
  const child = spawn(process.execPath, [main, '--script', script, '--log', log], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  const response = await fetch(`${url}/v1/chat/completions?key=secret-key`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-key' },
    body: JSON.stringify({ model: 'test', messages: [] }),
  })
  expect(await response.text()).toContain('Hello.')
  // A request is logged when its reply has gone.
  const read = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await expect.poll(read).toMatch(/\n$/)
  const logged = read()
  expect(JSON.parse(logged)).toMatchObject({ number: 1, wire: 'openai-chat', reported: true })
  expect(logged).not.toContain('secret-key')
}, 60_000)
