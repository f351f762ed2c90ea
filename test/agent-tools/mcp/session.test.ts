import { InMemoryTransport } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Channel } from '../../../src/agent-tools/mcp/channel.ts'
import { openSession, type Session } from '../../../src/agent-tools/mcp/session.ts'

/** Opens a session with a server of the official package in this process. */
async function sessionWith(server: McpServer): Promise<{ session: Session; channel: Channel }> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair()
  const channel: Channel = {
    transport: mine,
    limit: { lineBytes: 1000 },
    isClosed: () => false,
    flood: () => undefined,
    stray: () => undefined,
    begun: () => undefined,
    forgetStray: () => {},
  }
  await server.connect(theirs)
  const session = await openSession(channel, 10_000)
  if (!('tools' in session)) throw new Error(JSON.stringify(session))
  return { session, channel }
}

const inputSchema = z.object({ text: z.string() })
const server = () => {
  const made = new McpServer({ name: 'here', version: '1.2' })
  made.registerTool('echo', { description: 'Repeats.', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  made.registerTool('wait', { description: 'Waits for ever.', inputSchema }, () => new Promise(() => {}))
  made.registerTool('throw', { description: 'Throws.', inputSchema }, () => {
    throw new Error('no luck')
  })
  return made
}

it('a session knows the server and its tools', async () => {
  const { session } = await sessionWith(server())
  expect(session.server).toEqual({ name: 'here', version: '1.2' })
  expect(session.tools.map(({ name, description }) => [name, description])).toEqual([
    ['echo', 'Repeats.'],
    ['wait', 'Waits for ever.'],
    ['throw', 'Throws.'],
  ])
  expect(session.tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['text'] })
})

it('a call gives the answer of the tool, an error of it too', async () => {
  const { session } = await sessionWith(server())
  expect(await session.call('echo', { text: 'hi' }, 1000)).toMatchObject({
    kind: 'answer',
    result: { content: [{ type: 'text', text: 'hi' }] },
  })
  expect(await session.call('throw', { text: 'hi' }, 1000)).toMatchObject({
    kind: 'answer',
    result: { isError: true },
  })
})

it('a tool that the server does not have is refused with its code', async () => {
  const { session } = await sessionWith(server())
  expect(await session.call('none', {}, 1000)).toMatchObject({ kind: 'refused', code: -32602 })
})

it('a call that takes too long ends, and the next is answered', async () => {
  const { session } = await sessionWith(server())
  expect(await session.call('wait', { text: '' }, 50)).toEqual({ kind: 'timeout' })
  expect(await session.call('echo', { text: 'hi' }, 1000)).toMatchObject({ kind: 'answer' })
})

it('a call ends at once when the channel says that its answer is too long or cannot be read', async () => {
  const { session, channel } = await sessionWith(server())
  const long = session.call('wait', { text: '' }, 60_000)
  channel.onUnanswered?.({ kind: 'too-large' })
  expect(await long).toEqual({ kind: 'too-large' })
  const unread = session.call('wait', { text: '' }, 60_000)
  channel.onUnanswered?.({ kind: 'no-answer' })
  expect(await unread).toEqual({ kind: 'no-answer' })
  const refused = session.call('wait', { text: '' }, 60_000)
  channel.onUnanswered?.({ kind: 'refused', code: 0, message: 'bad' })
  expect(await refused).toEqual({ kind: 'refused', code: 0, message: 'bad' })
})

it('a call ends when its server closes the connection, and so does each call after it', async () => {
  const { session, channel } = await sessionWith(server())
  const pending = session.call('wait', { text: '' }, 60_000)
  await channel.transport.close()
  expect(await pending).toEqual({ kind: 'closed' })
  expect(await session.call('echo', { text: '' }, 1000)).toEqual({ kind: 'closed' })
})

it('a call that is aborted rejects with the reason', async () => {
  const { session } = await sessionWith(server())
  const stopper = new AbortController()
  const pending = session.call('wait', { text: '' }, 60_000, stopper.signal)
  const reason = new Error('stop')
  stopper.abort(reason)
  await expect(pending).rejects.toBe(reason)
  await expect(session.call('echo', { text: '' }, 1000, stopper.signal)).rejects.toBe(reason)
})

it('a limit that no timer can hold is the longest one', async () => {
  const { session } = await sessionWith(server())
  expect(await session.call('echo', { text: 'hi' }, Number.MAX_SAFE_INTEGER)).toMatchObject({
    kind: 'answer',
  })
})
