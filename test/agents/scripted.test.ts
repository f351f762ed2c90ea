import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createScripted, loadScripted } from '../../src/agents/scripted.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'scripted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const signal = () => new AbortController().signal

it('a scripted agent is paid or real only if its module says so', async () => {
  writeFileSync(
    join(folder, 'paid.mjs'),
    "export const paid = true\nexport const simulated = false\nexport default () => 'x'\n",
  )
  writeFileSync(join(folder, 'free.mjs'), "export default ['x']\n")
  expect(await loadScripted('paid.mjs', folder)).toMatchObject({
    name: 'scripted:paid.mjs',
    paid: true,
    simulated: false,
  })
  expect(await loadScripted('free.mjs', folder)).toMatchObject({ paid: false, simulated: true })
})

it('a scripted call of a tool with arguments of 500 MiB is refused, and no text is made of it', async () => {
  const content = '\n'.repeat(500 * 1024 ** 2)
  const agent = createScripted(() => ({
    toolCalls: [{ name: 'write', arguments: { path: 'a', content } }],
    costUsd: 1,
  }))
  const tools = { definitions: [], turns: [], mustAnswer: false }
  const reply = await agent.ask(agentRequest({ tools }), signal())
  expect(reply).toMatchObject({ text: '', costUsd: 1, error: { reason: 'unparsable' } })
  expect(reply).not.toHaveProperty('toolCalls')
})

it('a scripted agent gives its function the request and the folder', async () => {
  const agent = createScripted(
    async (request, { folder, files }) => `${request.prompt} ${await folder()} ${Object.keys(files())}`,
  )
  const request = agentRequest({ prompt: 'hello', files: { 'a.txt': '' }, folder: async () => '/private' })
  expect((await agent.ask(request, signal())).text).toBe('hello /private a.txt')
})

it('a scripted agent plays a list by the branch’s history, so that a resumed trial continues at its place', async () => {
  const agent = createScripted(['one', { text: 'two', tokens: { input: 5 }, costUsd: 0.5, durationMs: 7 }])
  const past = { role: 'auditor', work: 'judge' } as const
  const second = await agent.ask(agentRequest({ history: [past] }), signal())
  expect(second).toEqual({
    text: 'two',
    tokens: { input: 5, output: null, cached: null },
    costUsd: 0.5,
    durationMs: 7,
  })
  expect((await agent.ask(agentRequest(), signal())).text).toBe('one')
  const third = await agent.ask(agentRequest({ history: [past, past] }), signal())
  expect(third.error).toMatchSnapshot()
})

it('a scripted agent reports unknown numbers as null, and its measured time', async () => {
  const agent = createScripted(() => new Promise((resolve) => setTimeout(() => resolve('late'), 30)))
  const reply = await agent.ask(agentRequest(), signal())
  expect(reply).toMatchObject({ tokens: { input: null, output: null, cached: null }, costUsd: null })
  expect(reply.durationMs).toBeGreaterThanOrEqual(25)
})

it.each<[unknown, RegExp]>([
  [5, /gave a reply that is a number/],
  [['a', 'b'], /gave a reply that is an array/],
  [{ text: { content: 'x' } }, /gave a reply whose text is an object/],
  [{ text: null }, /gave a reply whose text is null/],
  [{ content: 'x', role: 'y' }, /gave a reply without a text, of the fields content, role/],
])('a scripted agent names the kind of a malformed reply %j', async (reply, message) => {
  const agent = createScripted(() => reply as string)
  expect(await agent.ask(agentRequest(), signal())).toMatchObject({
    text: '',
    error: { reason: 'exit', message: expect.stringMatching(message) },
  })
})

it('a scripted agent turns an error of the script into an error reply with its place', async () => {
  const agent = createScripted(() => {
    throw new Error('boom')
  })
  expect((await agent.ask(agentRequest(), signal())).error).toEqual({
    reason: 'exit',
    message: expect.stringMatching(
      /^the script threw: boom \(\.\/test\/agents\/scripted\.test\.ts:\d+:\d+\)$/,
    ),
    stack: expect.stringMatching(/^Error: boom\n {4}at .*scripted\.test\.ts/),
  })
})

it('a scripted agent times out, and rejects immediately on abort, even if the script continues', async () => {
  const agent = createScripted(() => new Promise<string>(() => {}))
  const late = await agent.ask(agentRequest({ timeoutMs: 20 }), signal())
  expect(late).toMatchObject({ text: '', durationMs: 20, error: { reason: 'timeout' } })
  const controller = new AbortController()
  const asked = agent.ask(agentRequest(), controller.signal)
  controller.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
})
