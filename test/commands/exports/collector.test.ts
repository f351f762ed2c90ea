import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readCollector } from '../../../src/commands/exports/collector.ts'
import { sendTraces } from '../../../src/commands/exports/send-traces.ts'
import { exported, published } from '../../helpers/exports/export-run.ts'
import { richRun } from '../../helpers/exports/rich-run.ts'
import { startHookServer } from '../../helpers/servers/hook-server.ts'

const times = { attempts: 3, requestMs: 2000, waitMs: 1, longestWaitMs: 60_000 }
const requestOf = (spans: readonly string[]) => `[${spans.join(',')}]`

/** Sends spans to a server that answers as it is told. */
async function sendTo(
  answer: (response: ServerResponse, call: number) => void,
  spans: readonly string[] = ['1', '2'],
  environment: Record<string, string> = {},
) {
  const { url, calls } = await startHookServer(answer)
  return { url, calls, sent: await sendTraces(spans, requestOf, readCollector(url, environment), times) }
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))

describe('a collector', () => {
  it('gets the traces of a run from bench export, and no span twice', async () => {
    const { url, calls } = await startHookServer((response) => json(response, 200, {}))
    const { code, said, stdout } = await exported(published, { format: 'otlp', to: url })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const spans = calls.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    expect(said).toBe(`sent: ${spans.length} spans to ${url}/v1/traces\n`)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
    for (const { method, path, headers } of calls)
      expect({ method, path, type: headers['content-type'] }).toEqual({
        ...{ method: 'POST', path: '/v1/traces', type: 'application/json' },
      })
  })

  it('gets the headers of the environment, those for traces over the others', async () => {
    const environment = {
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc%2Cdef, x-team = a=b,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=c',
    }
    const { calls } = await sendTo((response) => void response.end(), ['1'], environment)
    expect(calls[0]?.headers).toMatchObject({ authorization: 'Bearer abc,def', 'x-team': 'c' })
  })

  it.each(['authorization', '=x', 'a b=c', 'a=%zz', 'a=b%0d%0ac: d', 'a=%00', 'ok=1,two words=2'])(
    'is not asked with the headers %j, which no message shows',
    (headers) => {
      const read = () => readCollector('http://127.0.0.1:9', { OTEL_EXPORTER_OTLP_HEADERS: headers })
      expect(read).toThrow(
        /^\[OTEL_EXPORTER_OTLP_HEADERS\] has a header, number [12], that cannot be read\. Write /,
      )
      expect(read).not.toThrow(headers)
    },
  )

  it.each([
    ['', '/v1/traces'],
    ['/', '/v1/traces'],
    ['/otlp/', '/otlp/v1/traces'],
    ['/v1/traces', '/v1/traces'],
    ['/v1/traces?key=1', '/v1/traces?key=1'],
  ])('at %j is asked at %j', async (path, asked) => {
    const { url, calls } = await startHookServer()
    await sendTraces(['1'], requestOf, readCollector(`${url}${path}`, {}), times)
    expect(calls.map((call) => call.path)).toEqual([asked])
  })

  it('gets at most 512 spans in a request, and at most a mebibyte unless one span is longer', async () => {
    const ok = (response: ServerResponse) => void response.end()
    const small = await sendTo(
      ok,
      Array.from({ length: 1025 }, (_, at) => String(at)),
    )
    expect(small.calls.map(({ body }) => JSON.parse(body).length)).toEqual([512, 512, 1])
    expect(small.sent).toEqual({ spans: 1025, rejected: 0 })
    const large = JSON.stringify('x'.repeat(600_000))
    const { calls } = await sendTo(ok, [large, large, JSON.stringify('y'.repeat(2_000_000)), '1'])
    expect(calls.map(({ body }) => JSON.parse(body).length)).toEqual([1, 1, 1, 1])
  })

  it.each([429, 502, 503, 504])(
    'that answers with status %i is asked again, and then no more',
    async (status) => {
      const { calls, sent } = await sendTo((response) => json(response, status, { message: 'busy' }))
      expect(calls).toHaveLength(3)
      expect(sent).toMatchObject({
        spans: 0,
        failure: { what: `answered with status ${status}: busy, 3 times` },
      })
      const once = await sendTo((response, call) => json(response, call === 1 ? status : 200, {}))
      expect([once.calls.length, once.sent]).toEqual([2, { spans: 2, rejected: 0 }])
      expect(once.calls[0]?.body).toBe(once.calls[1]?.body)
    },
  )

  it.each([400, 401, 404, 413, 415, 500, 501])(
    'that answers with status %i is asked once',
    async (status) => {
      const { calls, sent } = await sendTo((response) => json(response, status, { code: 3, message: 'no' }))
      expect(calls).toHaveLength(1)
      expect(sent.failure?.what).toBe(`answered with status ${status}: no`)
    },
  )

  it('is not asked before the time that it names, and not at all if that is long', async () => {
    const long = await sendTo((response) => json(response, 503, {}, { 'retry-after': '3600' }))
    expect(long.calls).toHaveLength(1)
    expect(long.sent.failure?.what).toBe('answered with status 503, and asks to wait 3600 s')
    const past = new Date(Date.now() - 1000).toUTCString()
    const now = await sendTo((response, call) =>
      json(response, call < 3 ? 429 : 200, {}, { 'retry-after': past }),
    )
    expect(now.sent).toEqual({ spans: 2, rejected: 0 })
  })

  it('that breaks off the connection is asked again', async () => {
    const { sent } = await sendTo((response, call) => void (call === 1 ? response.destroy() : response.end()))
    expect(sent).toEqual({ spans: 2, rejected: 0 })
    const gone = await sendTo((response) => void response.destroy())
    expect(gone.sent.failure?.what).toMatch(/^cannot be reached \(.+\), 3 times$/)
  })

  it('that redirects is not followed, so that no header goes elsewhere', async () => {
    const other = await startHookServer()
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-word' }
    const { sent, calls } = await sendTo(
      (response) => void response.writeHead(307, { location: `${other.url}/v1/traces?token=1` }).end(),
      ['1'],
      environment,
    )
    expect([calls.length, other.calls.length]).toEqual([1, 0])
    expect(sent.failure?.what).toBe(`redirects to ${other.url}/v1/traces (status 307), which is not followed`)
  })

  it('that rejects some spans is not asked again, and what it says is told without the headers', async () => {
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-word' }
    const partial = { partialSuccess: { rejectedSpans: '1', errorMessage: 'bad span of secret-word' } }
    const { calls, sent } = await sendTo((response) => json(response, 200, partial), ['1', '2'], environment)
    expect(calls).toHaveLength(1)
    expect(sent).toEqual({
      ...{ spans: 2, rejected: 1, message: 'bad span of [redacted OTEL_EXPORTER_OTLP_HEADERS]' },
    })
  })

  it.each(['not JSON', '[]', '{"partialSuccess":7}', '"'.repeat(100_000)])(
    'that takes the spans and answers with something else has taken them',
    async (body) => {
      const { sent } = await sendTo((response) => void response.end(body))
      expect(sent).toEqual({ spans: 2, rejected: 0 })
    },
  )

  it('that answers with a web page, or whose port cannot be asked, is asked once', async () => {
    const { sent, calls } = await sendTo((response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>welcome</html>'),
    )
    expect(sent).toMatchObject({ spans: 0, failure: { what: expect.stringContaining('a web page') } })
    expect(calls).toHaveLength(1)
    const { failure } = await sendTraces(['1'], requestOf, readCollector('http://127.0.0.1:9', {}), times)
    expect(failure?.what).toBe('has a port that is reserved for another protocol')
  })

  it('that fails ends bench export with exit code 1, and it says what was sent', async () => {
    const { url } = await startHookServer((response) => json(response, 401, { message: 'no key' }))
    const refused = await exported(richRun(), { format: 'otlp', to: url })
    expect(refused.code).toBe(1)
    expect(refused.said.split('\n').at(-2)).toBe(
      `bench: [--to ${url}/v1/traces] answered with status 401: no key; 0 spans were sent before. Give its key as a header: OTEL_EXPORTER_OTLP_HEADERS='authorization=Bearer …'.`,
    )
    const partial = await startHookServer((response) =>
      json(response, 200, { partialSuccess: { rejectedSpans: 2, errorMessage: 'too old' } }),
    )
    const rejected = await exported(richRun(), { format: 'otlp', to: partial.url })
    expect(rejected.code).toBe(1)
    expect(rejected.said).toContain(`bench: [--to ${partial.url}/v1/traces] rejected 2 of 17 spans: too old`)
  })
})
