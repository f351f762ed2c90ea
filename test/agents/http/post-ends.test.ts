import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../../src/agents/http/hand-over.ts'
import { post } from '../../../src/agents/http/post.ts'
import { needs } from '../../helpers/needs.ts'
import { current, ok, question, says, serve, told } from '../../helpers/raw-server.ts'

describe('the end of a call by post', () => {
  it('gives the parts of a reply as they come, not at its end', async () => {
    let finish = () => {}
    const { url } = await serve((to) => {
      to.write(`${ok}\r\n\r\nfirst`)
      finish = () => to.end('last')
    })
    const reader = ((await post(url, question())).body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first')
    finish()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('last')
    expect((await reader.read()).done).toBe(true)
  })

  it('takes no more from the server than a slow reader asks for, and loses nothing of it', async () => {
    const part = Buffer.alloc(64 * 1024, 'x')
    const parts = 500
    let sent = 0
    const { url } = await serve((to) => {
      to.write(`${ok}\r\ncontent-length: ${part.length * parts}\r\n\r\n`)
      const more = (): unknown => {
        while (sent < parts) {
          sent++
          if (!to.write(part)) return to.once('drain', more)
        }
        return undefined
      }
      more()
    })
    const reader = ((await post(url, question())).body as ReadableStream<Uint8Array>).getReader()
    let length = (await reader.read()).value?.length ?? 0
    await sleep(150)
    expect(sent).toBeLessThan(parts / 2)
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      length += value.length
    }
    expect([sent, length]).toEqual([parts, part.length * parts])
  })

  it.each([
    ['fetch', fetch],
    ['post', post],
  ])('ends with the reason of an abort, and its connection with it: %s', async (_, how) => {
    const closed: string[] = []
    const { url } = await serve((to, { line }) => {
      const [, path = ''] = line.split(' ')
      to.on('close', () => closed.push(path))
      if (path === '/within') to.write(`${ok}\r\n\r\nbegun`)
      if (path === '/error') to.write('HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\nbegun')
    })
    const reason = new Error('enough')
    const call = (path: string, signal: AbortSignal) => how(url + path, question({ signal }))
    await expect(call('/before', AbortSignal.abort(reason))).rejects.toBe(reason)
    const waiting = new AbortController()
    setTimeout(() => waiting.abort(reason), 20)
    await expect(call('/waiting', waiting.signal)).rejects.toBe(reason)
    for (const path of ['/within', '/error']) {
      const within = new AbortController()
      const response = await call(path, within.signal)
      const text = response.text()
      within.abort(reason)
      await expect(text).rejects.toBe(reason)
    }
    await expect(call('/late', AbortSignal.timeout(20))).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect.poll(() => closed).toEqual(['/waiting', '/within', '/error', '/late'])
  })

  it('aborts a reply that fetch is about to take up', async () => {
    const abort = new AbortController()
    let closed = false
    const { url } = await serve((to) => {
      to.on('close', () => (closed = true))
      to.write('HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\nbegun', () =>
        setImmediate(() => abort.abort(new Error('now'))),
      )
    })
    const call = post(url, question({ signal: abort.signal })).then((response) => response.text())
    await expect(call).rejects.toThrow('now')
    await expect.poll(() => closed).toBe(true)
  })

  it('closes the connection of a reply that nobody reads to its end, whatever comes after that', async () => {
    let closed = false
    const { url } = await serve((to) => {
      to.on('close', () => (closed = true))
      to.write(`${ok}\r\n\r\n`)
      const more = () => {
        if (!to.destroyed) to.write('more', () => setImmediate(more))
      }
      more()
    })
    const { body } = await post(url, question())
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await reader.cancel(new Error('enough'))
    await expect.poll(() => closed).toBe(true)
  })

  needs('undici 6 or 7').it('is deaf to what a dispatcher still says after the end', async () => {
    const said: string[] = []
    const reply = await through((to) => {
      to.onConnect((reason) => said.push(String(reason)))
      to.onHeaders(200, [], () => {}, 'OK')
      to.onData(Buffer.from('first'))
      setTimeout(() => {
        to.onData(Buffer.from('more'))
        to.onComplete([])
        to.onError(new Error('late'))
        said.push('all')
      }, 5)
    })
    await reply.body?.cancel('enough')
    await expect.poll(() => said).toEqual(['enough', 'all'])
  })

  needs('undici 6 or 7').it('gives each of several values that a dispatcher has for one name', async () => {
    const [name, one, two] = ['set-cookie', 'a=\xe9', 'b=2'].map((text) => Buffer.from(text, 'latin1'))
    const { headers } = await through((to) => {
      to.onHeaders(200, [name as Buffer, [one as Buffer, two as Buffer]], () => {}, 'OK')
      to.onComplete([])
    })
    expect(headers.getSetCookie()).toEqual(['a=\xe9', 'b=2'])
  })

  needs('undici 6 or 7').it('fails as fetch does where a dispatcher throws', async () => {
    const refusing = () => {
      throw new Error('another language')
    }
    const ends = [await told(through(refusing, fetch)), await told(through(refusing))]
    expect(ends[1]).toEqual(ends[0])
    expect(ends[1]).toEqual({
      error: ['TypeError', 'fetch failed', 'Error', undefined, 'another language'],
    })
  })

  needs('undici 6 or 7').it(
    'leaves nothing that listens to a signal, however its call has ended',
    async () => {
      const { url } = await serve((to, asked) => {
        if (asked.line.includes('/broken')) to.end(`${ok}\r\ncontent-length: 9\r\n\r\nb`)
        else says(asked.line.includes('/error') ? 'HTTP/1.1 500 Oh' : ok, 'whole')(to, asked)
      })
      const { signal } = new AbortController()
      let listening = 0
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = ((...given: Parameters<typeof add>) => {
        listening++
        add(...given)
      }) as typeof add
      signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
        listening--
        remove(...given)
      }) as typeof remove
      for (const path of ['/whole', '/broken', '/whole', '/whole'])
        await told(post(url + path, question({ signal })))
      expect(listening).toBe(0)
    },
  )
})

/** A call through a dispatcher of one's own. */
async function through(dispatch: (to: Handler) => void, how = post): Promise<Response> {
  const { url } = await serve(says(ok))
  const all = globalThis as { [current]?: unknown }
  const usual = all[current]
  all[current] = {
    dispatch(_: unknown, to: Handler) {
      dispatch(to)
      return true
    },
  }
  try {
    return await how(url, question())
  } finally {
    all[current] = usual
  }
}
