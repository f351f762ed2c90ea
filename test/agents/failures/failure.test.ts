import { describe, expect, it } from 'vitest'
import { failureOf, retryAfterMs } from '../../../src/agents/failures/failure.ts'

describe('an error of a call', () => {
  it.each([
    ['Anthropic', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['OpenAI', 400, "This model's maximum context length is 128000 tokens."],
    ['Gemini', 400, 'The input token count (2000000) exceeds the maximum number of tokens allowed'],
    ['llama.cpp', 400, 'the request exceeds the available context size, try increasing it'],
    ['any server', 413, 'Request Entity Too Large'],
  ])('of %s with a prompt that is too long is a context overflow', (_, statusCode, message) => {
    expect(failureOf({ statusCode, message }).reason).toBe('context-overflow')
  })

  it('that mentions tokens per minute is a quota, whatever its wording', () => {
    const message = 'Rate limit reached: too many tokens per minute'
    expect(failureOf({ statusCode: 429, message }).reason).toBe('quota')
  })

  it.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'server'],
    [{ type: 'rate_limit_error', message: 'slow down' }, 'quota'],
    [{ type: 'authentication_error', message: 'no' }, 'key'],
    [{ type: 'invalid_request_error', message: 'no' }, 'request'],
    [{ type: 'api_error', message: 'Internal server error' }, 'server'],
    [{ type: 'api_error', message: 'The model gave: API key not valid' }, 'server'],
    [{ type: 'api_error', message: 'insufficient balance (7)' }, 'quota'],
    [{ type: 'server_error', code: 'rate_limit_exceeded', message: 'no' }, 'quota'],
    [{ type: 'server_error', message: 'The prompt is too long' }, 'context-overflow'],
    [{ statusCode: 302, message: 'redirects to elsewhere' }, 'not-found'],
    ['just a text', 'server'],
    [undefined, 'server'],
    [new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND host') }), 'network'],
  ])('without a status is classified by its message: %j', (error, reason) => {
    const failure = failureOf(error)
    expect(failure.reason).toBe(reason)
    expect(failure.message).not.toBe('')
  })

  it('names the network failure, in at most 500 characters', () => {
    const error = new TypeError('fetch failed', { cause: new Error(`ENOTFOUND ${'x'.repeat(1000)}`) })
    const { message } = failureOf(error)
    expect(message).toContain('fetch failed (ENOTFOUND')
    expect(message).toHaveLength(500)
  })
})

describe('the waiting time that a provider asks for', () => {
  const now = Date.parse('2026-11-22T00:00:00Z')
  it.each([
    [{ 'retry-after': '7' }, '', 7000],
    [{ 'retry-after': '0.5' }, '', 500],
    [{ 'retry-after': 'Sun, 22 Nov 2026 00:01:00 GMT' }, '', 60_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 00:01:00 GMT' }, '', 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, '', 1500],
    [{}, '{"error":{"details":[{"retryDelay": "39s"}]}}', 39_000],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{}, '', undefined],
  ])('is read from %j %s', (headers, body, expected) => {
    expect(retryAfterMs(headers as Record<string, string>, body, now)).toBe(expected)
  })
})
