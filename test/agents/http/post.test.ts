import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { both, isShort, ok, question, type Reply, says } from '../../helpers/raw-server.ts'

describe('post', () => {
  it('asks what fetch asks, for a reply that nobody compresses', async () => {
    const { asked, all, byFetch } = await both(says(ok, 'whole'))
    expect(asked).toEqual(['POST /v1/messages {"a":"b"}'])
    const { host: _, 'accept-encoding': coding, ...headers } = all[0]?.headers ?? {}
    const { host: __, 'accept-encoding': usual, ...others } = byFetch.all[0]?.headers ?? {}
    expect([coding, usual]).toEqual([isShort ? 'identity' : 'gzip, deflate', 'gzip, deflate'])
    expect(headers).toEqual(others)
  })

  it('sends a text of any characters whole, and what the caller says of codings', async () => {
    const body = JSON.stringify('ü 漢字 \u{1f600} \ud800')
    const headers = { 'accept-encoding': 'br', 'user-agent': 'mine' }
    const { asked, all } = await both(says(ok, 'whole'), question({ body, headers }))
    expect(asked).toEqual([`POST /v1/messages ${Buffer.from(body).toString('latin1')}`])
    expect(all[0]?.headers).toMatchObject(headers)
  })

  it.each<[string, Reply, unknown]>([
    ['whole', says(`${ok}\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-odd: \xe9`, 'whole'), { text: 'whole' }],
    ['empty', says(ok), { text: '' }],
    [
      'in chunks',
      (to) => to.write(`${ok}\r\ntransfer-encoding: chunked\r\n\r\n3\r\nwho\r\n2\r\nle\r\n0\r\n\r\n`),
      { text: 'whole' },
    ],
    ['ended by the connection', (to) => to.end(`${ok}\r\n\r\nwhole`), { text: 'whole' }],
    ['after a hint', says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}`, 'whole'), { text: 'whole' }],
    ['without a body', (to) => to.write('HTTP/1.1 204 No Content\r\n\r\n'), { status: 204, text: '' }],
    ['not modified', (to) => to.write('HTTP/1.1 304 Not Modified\r\n\r\n'), { status: 304 }],
    ['of another success', says('HTTP/1.1 202 Accepted', 'later'), { status: 202, text: 'later' }],
    ['with an odd phrase', says('HTTP/1.1 200 Sehr schön ☕', 'whole'), { status: 200, text: 'whole' }],
    [
      'refused as too many',
      says('HTTP/1.1 429 Slow\r\nretry-after: 7', '{"e":1}'),
      { ok: false, text: '{"e":1}' },
    ],
    [
      'refused for its key',
      says('HTTP/1.1 401 No\r\nwww-authenticate: Basic', 'no'),
      { status: 401, text: 'no' },
    ],
    [
      'refused by a proxy',
      says('HTTP/1.1 407 No', 'no'),
      { error: expect.arrayContaining(['TypeError', 'fetch failed']) },
    ],
    // Some versions of Node take it, others do not.
    ['with an odd name', says(`${ok}\r\nx y: 1`, 'whole'), {}],
    ['with a space behind a value', says(`${ok}\r\nx-a:  b `, 'whole'), { status: 200, text: 'whole' }],
    ['of an overloaded server', says('HTTP/1.1 529 Overloaded', 'no'), { status: 529, text: 'no' }],
    [
      'with a choice',
      says('HTTP/1.1 300 Choose\r\nlocation: /elsewhere', 'two'),
      { status: 300, text: 'two' },
    ],
    ['redirected to nowhere', says('HTTP/1.1 307 Go', 'where'), { status: 307, text: 'where' }],
  ])('gives a reply as fetch does: %s', async (_, reply, expected) => {
    const { told, asked } = await both(reply)
    expect(told).toMatchObject(expected as object)
    expect(asked).toHaveLength(1)
  })

  it.each<[string, string, Buffer, unknown]>([
    ['gzip', 'gzip', gzipSync('whole'), { text: 'whole' }],
    ['x-gzip in capitals', 'X-GZIP', gzipSync('whole'), { text: 'whole' }],
    ['gzip without its trailer', 'gzip', gzipSync('whole').subarray(0, -8), { text: 'whole' }],
    ['gzip of nothing at all', 'gzip', Buffer.alloc(0), { text: '' }],
    [
      'gzip that is none',
      'gzip',
      Buffer.from('whole'),
      { error: ['TypeError', 'terminated', 'Error', 'Z_DATA_ERROR', 'incorrect header check'] },
    ],
    ['deflate', 'deflate', deflateSync('whole'), { text: 'whole' }],
    ['raw deflate', 'deflate', deflateRawSync('whole'), { text: 'whole' }],
    ['brotli', 'br', brotliCompressSync('whole'), { text: 'whole' }],
    ['two codings', 'gzip, br', brotliCompressSync(gzipSync('whole')), { text: 'whole' }],
    ['a coding nobody knows', 'odd', Buffer.from('whole'), { text: 'whole' }],
    [
      'six codings',
      'br,br,br,br,br,br',
      Buffer.from('whole'),
      { error: ['TypeError', 'fetch failed', 'Error'] },
    ],
    ['identity', 'identity', Buffer.from('whole'), { text: 'whole' }],
  ])(
    'reads what a server compresses though nobody asked it to, as fetch does: %s',
    async (_, coding, body, expected) => {
      const { told } = await both(says(`${ok}\r\nContent-Encoding: ${coding}`, body))
      if (!('error' in (expected as object))) expect(told).toMatchObject(expected as object)
      else
        expect((told as { error: string[] }).error.slice(0, 3)).toEqual(
          (expected as { error: string[] }).error.slice(0, 3),
        )
    },
  )
})
