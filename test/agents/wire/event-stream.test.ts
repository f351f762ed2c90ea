import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEventSplitter } from '../../../src/agents/wire/event-stream.ts'

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
