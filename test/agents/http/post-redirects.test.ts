import { describe, expect, it } from 'vitest'
import { post } from '../../../src/agents/http/post.ts'
import {
  both,
  closeServers,
  freed,
  isShort,
  ok,
  question,
  type Reply,
  says,
  serve,
  told,
} from '../../helpers/raw-server.ts'

describe('post where a reply is no plain one', () => {
  it.each([301, 302, 303, 307, 308])(
    'follows a redirect with status %i as fetch does, and asks once there',
    async (status) => {
      const reply: Reply = (socket, asked) =>
        asked.line.includes('/elsewhere')
          ? says(ok, asked.line)(socket, asked)
          : says(`HTTP/1.1 ${status} Go\r\nlocation: /elsewhere`, 'gone')(socket, asked)
      const { asked } = await both(reply)
      const there = status < 307 ? 'GET /elsewhere ' : 'POST /elsewhere {"a":"b"}'
      expect(asked).toEqual(['POST /v1/messages {"a":"b"}', there])
    },
  )

  it('frees the connection of a reply that redirects: it serves the next call', async () => {
    const sockets: number[] = []
    for (const how of [fetch, post]) {
      const { url, asked } = await serve((socket, asked) =>
        asked.line.includes('/away')
          ? says('HTTP/1.1 307 Go\r\nlocation: /there', 'gone')(socket, asked)
          : says(ok, 'said')(socket, asked),
      )
      for (let i = 0; i < 3; i++) {
        expect(await told(how(`${url}/away`, question()))).toMatchObject({ text: 'said' })
        await freed()
      }
      sockets.push(new Set(asked.map(({ socket }) => socket)).size)
    }
    expect(sockets).toEqual([2, 2])
  })

  it('takes no authorization to another host where a redirect leads, and ends where redirects go round', async () => {
    const other = await serve((to, asked) =>
      says(ok, `${asked.headers.authorization} ${asked.line}`)(to, asked),
    )
    const { told } = await both(says(`HTTP/1.1 307 Go\r\nlocation: ${other.url}/there`))
    expect(told).toMatchObject({ text: 'undefined POST /there {"a":"b"}' })
    const round = await both(says('HTTP/1.1 308 Go\r\nlocation: /v1/messages'))
    expect(round.told).toMatchObject({
      error: ['TypeError', 'fetch failed', 'Error', undefined, 'redirect count exceeded'],
    })
    expect(round.asked).toHaveLength(21)
  })

  it('asks again where a server says that it is the wrong one, as fetch does, if once more than that', async () => {
    const right = (at: number) => {
      let left = at
      return (...given: Parameters<Reply>) =>
        says(left-- > 0 ? 'HTTP/1.1 421 Misdirected' : ok, 'said')(...given)
    }
    for (const how of [fetch, post]) {
      const once = await serve(right(1))
      expect(await told(how(once.url, question()))).toMatchObject({ status: 200, text: 'said' })
      const always = await serve(right(9))
      expect(await told(how(always.url, question()))).toMatchObject({ status: 421, text: 'said' })
      expect(always.asked).toHaveLength(how === post && isShort ? 3 : 2)
    }
  })

  it.each<[string, Reply, string]>([
    ['while nothing has come', (to) => to.destroy(), 'fetch failed'],
    ['within its head', (to) => to.end('HTTP/1.1 200 O'), 'fetch failed'],
    ['by no HTTP', (to) => to.end('hello\r\n\r\n'), 'fetch failed'],
    [
      'by an upgrade',
      (to) => to.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      'fetch failed',
    ],
    ['within its body', (to) => to.end(`${ok}\r\ncontent-length: 100\r\n\r\nbegun`), 'terminated'],
    ['within a chunk', (to) => to.end(`${ok}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`), 'terminated'],
    ['within an error', (to) => to.end('HTTP/1.1 500 Oh\r\ncontent-length: 100\r\n\r\nbegun'), 'terminated'],
  ])('fails as fetch does where a reply breaks off: %s', async (_, reply, message) => {
    const { told } = await both(reply)
    const { error } = told as { error: string[] }
    expect(error.slice(0, 2)).toEqual(['TypeError', message])
    expect(error[2]).toMatch(/Error/)
  })

  it('fails as fetch does where nobody listens', async () => {
    const { url } = await serve(says(ok))
    await closeServers()
    // It is this one that finds the old connection closed.
    await told(fetch(url, question()))
    const ends = [await told(fetch(url, question())), await told(post(url, question()))]
    expect(ends[1]).toEqual(ends[0])
    const { error } = ends[1] as { error: string[] }
    expect(error.slice(0, 4)).toEqual(['TypeError', 'fetch failed', 'Error', 'ECONNREFUSED'])
  })
})
