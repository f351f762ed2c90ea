import { createServer } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsOfBody } from '../../../src/agents/failures/server-words.ts'
import { createEventSplitter } from '../../../src/agents/wire/event-stream.ts'
import { parseJson, tryParseJson } from '../../../src/agents/wire/json.ts'
import { loadPatientFetch } from '../../../src/agents/wire/patient-fetch.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'

function dataOf(pieces: readonly string[]): (string | undefined)[] {
  const splitter = createEventSplitter()
  const events = pieces.flatMap((piece) => splitter.add(piece))
  const rest = splitter.end()
  return [...events, ...(rest ? [rest] : [])].map(({ data }) => data)
}

const stream = '\ufeff: hello\n\ndata: {"a":1}\n\nevent: x\nid: 7\ndata:{"b":\ndata: 2}\n\n\ndata: [DONE]'
const expected = [undefined, '{"a":1}', '{"b":\n2}', '[DONE]']

it.each(['\n', '\r\n', '\r'])('events are the same however a stream with line end %j is cut', (end) => {
  const text = stream.replaceAll('\n', end)
  expect(dataOf([text])).toEqual(expected)
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((to, i) => text.slice(places[i], to))
      expect(dataOf(pieces)).toEqual(expected)
    }),
  )
})

it('an empty line after a CRLF ends an event, however the two are cut', () => {
  expect(dataOf(['data: 1\r', '\n', '\n', 'data: 2', '\n\n'])).toEqual(['1', '2'])
})

it('refuses an event of more than 32 Mi characters', () => {
  const splitter = createEventSplitter()
  const piece = 'x'.repeat(2 ** 20)
  for (let added = 0; added < 32; added++) splitter.add(piece)
  expect(() => splitter.add(piece)).toThrow('longer than 32 MiB')
})

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON of servers and programs', () => {
  it('is read up to 200 levels', () => {
    expect(parseJson(lists(200))).toEqual(JSON.parse(lists(200)))
  })

  it.each([201, 2_000, 400_000])('is refused with %i levels', (depth) => {
    expect(() => parseJson(lists(depth))).toThrow('more than 200 levels')
    expect(tryParseJson(`{"error":${lists(depth)}}`)).toBeUndefined()
  })

  it('counts no brackets in strings', () => {
    const value = { text: `${'['.repeat(500)}"\\"${'{'.repeat(500)}` }
    expect(parseJson(JSON.stringify(value))).toEqual(value)
  })

  it('gives a text for the words of a body that is nested too deep', () => {
    expect(wordsOfBody(lists(100_000)).message).toMatch(/^\[{10}/)
  })
})

it('the refusal of a proxy is a reply with its status, and other errors stay errors', async () => {
  const server = createServer((_, response) => response.writeHead(407).end('no'))
  const send = await loadPatientFetch()
  const url = await onLoopback(server)
  const { status, statusText } = await send(url, { method: 'POST', body: 'x' })
  expect([status, statusText]).toEqual([407, 'Proxy Authentication Required'])
  await expect(send('http://127.0.0.1:1')).rejects.toThrow('fetch failed')
  await expect(send(url, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
})
