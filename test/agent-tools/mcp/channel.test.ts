import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import { openChannel } from '../../../src/agent-tools/mcp/channel.ts'

/** Opens a channel to a server that writes these chunks, and returns what arrives. */
async function receive(chunks: readonly (string | Buffer)[], lineBytes = 1000) {
  const [mine, server] = duplexPair()
  const channel = openChannel(mine)
  channel.limit.lineBytes = lineBytes
  const messages: unknown[] = []
  const events: string[] = []
  channel.transport.onmessage = (message) => void messages.push(message)
  channel.transport.onclose = () => void events.push('closed')
  channel.onUnanswered = (why) =>
    void events.push(why.kind === 'refused' ? `error: ${why.message}` : why.kind)
  await channel.transport.start()
  for (const chunk of chunks) {
    server.write(chunk)
    await new Promise(setImmediate)
  }
  return { messages, events, stray: channel.stray(), begun: channel.begun(), flood: channel.flood() }
}

const message = { jsonrpc: '2.0', id: 1, result: {} }
const line = JSON.stringify(message)

it.each([
  ['a line', [`${line}\n`]],
  ['a line that ends in CR LF', [`${line}\r\n`]],
  ['a byte order mark', [`\uFEFF${line}\n`]],
  ['blank lines', [`\n  \n${line}\n\n`]],
  ['a banner', [`Server ready\n${line}\n`]],
  ['a line in pieces', [line.slice(0, 5), line.slice(5), '\n']],
  ['a batch', [`[${line}]\n`]],
  ['a banner without a line end', [`Server [v1] {ready} "at {" 12:00${line}\n`]],
  ['a banner with JSON of its own', [`config: {"port": 1} [{"a":2}]\t${line}\n`]],
  ['a byte order mark behind a banner', [`Server ready \uFEFF${line}\n`]],
  ['words behind it', [`${line} sent\n`]],
  ['colours around it', [`\u001b[32mready\u001b[0m ${line}\u001b[0m\r\n`]],
  ['a banner before a batch', [`ready[${line}]\n`]],
  ['a log of what was asked', [`got {"jsonrpc":"2.0","id":9,"method":"initialize"} ${line}\n`]],
  ['a log of what was asked, and lines after it', [`got {"jsonrpc":"2.0","id":9,"method":"x"}\n${line}\n`]],
])('%s gives its message', async (_, chunks) => {
  expect((await receive(chunks)).messages).toEqual([message])
})

it('a character in two pieces stays whole', async () => {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"é"}\n`)
  const at = bytes.indexOf(0xa9)
  const { messages } = await receive([bytes.subarray(0, at), bytes.subarray(at)])
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, method: 'é' }])
})

it('two messages in one line are both read', async () => {
  const other = { jsonrpc: '2.0', id: 2, result: { text: '}{"a' } }
  const both = [message, other]
  for (const text of [`${line}${JSON.stringify(other)}\n`, `hi ${line}, ${JSON.stringify(other)}!\n`])
    expect((await receive([text])).messages).toEqual(both)
})

it('a message behind words that hide how deep it is nested is not read, and many places are no work', async () => {
  const deep = `{"jsonrpc":"2.0","id":1,"result":{"x":${'['.repeat(200)}${']'.repeat(200)}}}`
  expect((await receive([`say "${deep}\n`])).messages).toEqual([])
  expect((await receive([`${'}'.repeat(500)}${deep}\n`])).messages).toEqual([])
  const started = performance.now()
  const many = await receive(['{"'.repeat(90).padEnd(900_000, ' ["'), `${line}\n`], 1_000_000)
  expect(many.messages).toEqual([])
  expect(performance.now() - started).toBeLessThan(2000)
})

it('headers of another framing end the wait for an answer, unless a message came before', async () => {
  const framed = 'Content-Length: 10\r\n\r\n'
  expect(await receive([framed])).toMatchObject({ events: ['no-answer'], stray: '"Content-Length: 10"' })
  expect(await receive([`ready\n${framed}`])).toMatchObject({ events: ['no-answer'] })
  expect((await receive([`${line}\n${framed}`])).events).toEqual([])
})

it('a line that does not end is shown to people', async () => {
  expect((await receive(['Loading…'])).begun).toBe('"Loading…"')
  expect((await receive([`Loading…\n${line}\n`])).begun).toBeUndefined()
})

it('the first line that is no message is kept for people', async () => {
  const { stray } = await receive(['Server 1.0\nmore\n{"a":1}\n'])
  expect(stray).toBe('"Server 1.0"')
})

it.each([
  ['an error without an id', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad"}}', 'error: bad'],
  [
    'an error with the id null',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"bad"}}',
    'error: bad',
  ],
  ['an error that is a text', '{"jsonrpc":"2.0","id":1,"error":"bad"}', 'error: "bad"'],
  ['a result that is a text', '{"jsonrpc":"2.0","id":1,"result":"x"}', 'no-answer'],
  ['an answer without a result', '{"jsonrpc":"2.0","id":1}', 'no-answer'],
  [
    'a message that is nested deep',
    `{"jsonrpc":"2.0","x":${'['.repeat(200)}${']'.repeat(200)}}`,
    'no-answer',
  ],
])('%s is told, so that nothing waits for an answer', async (_, text, event) => {
  expect(await receive([`${text}\n`])).toMatchObject({ messages: [], events: [event] })
})

it('what a server tells unasked is dropped', async () => {
  const { messages, events } = await receive([
    '{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n',
  ])
  expect([messages, events]).toEqual([[], []])
})

it('brackets in texts are no nesting', async () => {
  const { messages } = await receive([`{"jsonrpc":"2.0","id":1,"method":"${'[{'.repeat(200)}\\"["}\n`])
  expect(messages).toHaveLength(1)
})

it('a field that is null beside the other is left out of an answer', async () => {
  const { messages } = await receive(['{"jsonrpc":"2.0","id":1,"result":{},"error":null}\n'])
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
})

it('a line that is too long is told once and dropped; the next is read', async () => {
  const { messages, events } = await receive([
    'x'.repeat(800),
    'x'.repeat(800),
    'x'.repeat(800),
    `\n${line}\n`,
  ])
  expect(events).toEqual(['too-large'])
  expect(messages).toEqual([message])
})

it('a line of exactly the longest length is read', async () => {
  expect((await receive([`${line}\n`], line.length)).messages).toHaveLength(1)
  expect((await receive([`${line}\n`], line.length - 1)).messages).toHaveLength(0)
})

it('a server that sends without end is cut off, by bytes and by messages', async () => {
  const bytes = await receive(Array.from({ length: 80 }, () => 'x'.repeat(65_536)))
  expect(bytes.flood).toMatch(/sent more than 4194304 bytes between two requests of bench/)
  expect(bytes.events).toContain('closed')
  const messages = await receive(Array.from({ length: 60 }, () => `${line}\n`.repeat(200)))
  expect(messages.flood).toMatch(/sent more than 10000 messages between two requests of bench/)
  expect(messages.messages).toHaveLength(10_000)
  const asked = await receive(['{"jsonrpc":"2.0","id":1,"method":"ping"}\n'.repeat(501)])
  expect(asked.flood).toMatch(/sent more than 500 requests of its own/)
  expect(asked.messages).toHaveLength(500)
  const batch = await receive([`[${Array(10_001).fill(line).join()}]\n`], 1_000_000)
  expect(batch.flood).toMatch(/sent more than 10000 messages/)
})
