import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { post } from '../../../src/agents/http/post.ts'
import { both, freed, ok, question, says, serve, told } from '../../helpers/raw-server.ts'

describe('post', () => {
  it('reads addresses as fetch does', async () => {
    const { url, asked } = await serve(says(ok, 'whole'))
    const addresses = [
      url.replace('http', 'HTTP'),
      ` ${url}/a `,
      `${url}/a?`,
      `${url}/a b?c d#e`,
      `${url}/../a\n/./b`,
      url.replace('//', '//user:password@'),
      'no address',
      'data:text/plain,whole',
      'ftp://127.0.0.1/',
      // A port that `fetch` keeps away from.
      'http://127.0.0.1:6000/',
    ]
    const ends: unknown[] = []
    for (const how of [fetch, post])
      for (const address of addresses) ends.push(await told(how(address, question())))
    expect(ends.slice(addresses.length)).toEqual(ends.slice(0, addresses.length))
    const lines = asked.map(({ line }) => line)
    expect(lines).toHaveLength(10)
    expect(lines.slice(5)).toEqual(lines.slice(0, 5))
  })

  it('leaves what is no POST of a text to fetch', async () => {
    const kinds: RequestInit[] = [
      { method: 'GET' },
      question({ method: 'PUT' }),
      question({ method: 'patch' }),
      { method: 'POST' },
      { method: 'POST', body: '' },
      { method: 'POST', body: new Uint8Array([65]) },
      question({ headers: new Headers({ 'x-a': '1' }) }),
      question({ headers: [['x-a', '1']] }),
      question({ headers: { 'X-A': ' 1 ' } }),
      question({ headers: { 'x-a': '1' } }),
      question({ headers: { 'x-a': 'a\nb' } }),
      question({ redirect: 'error' }),
    ]
    for (const kind of kinds) {
      const { all } = await both(says(`HTTP/1.1 302 Go\r\nlocation: data:,there`), kind)
      for (const { headers } of all) expect(headers['accept-encoding']).toBe('gzip, deflate')
    }
    const { url } = await serve(says(ok, 'whole'))
    expect(await (await post(new URL(url))).text()).toBe('whole')
  })

  it('makes calls one after another on one connection, which it shares with fetch', async () => {
    const { url, asked } = await serve(says(ok, 'whole'))
    for (const how of [fetch, post, post, fetch, post]) {
      expect(await (await how(url, question())).text()).toBe('whole')
      await freed()
    }
    expect(new Set(asked.map(({ socket }) => socket)).size).toBe(1)
  })

  it('keeps no connection that its server is about to close, and goes on when one was closed', async () => {
    const soon = await serve(says(`${ok}\r\nkeep-alive: timeout=1`, 'whole'))
    for (let i = 0; i < 3; i++) expect(await (await post(soon.url, question())).text()).toBe('whole')
    expect(new Set(soon.asked.map(({ socket }) => socket)).size).toBe(3)
    const closing = await serve(says(ok, 'whole'))
    for (let i = 0; i < 3; i++) {
      expect(await (await post(closing.url, question())).text()).toBe('whole')
      const socket = closing.asked.at(-1)?.socket as Socket
      socket.end()
      await once(socket, 'close')
    }
    expect(closing.asked).toHaveLength(3)
  })
})
