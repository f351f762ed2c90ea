import { describe, expect, it } from 'vitest'
import { wordsOfBody } from '../../../src/agents/failures/server-words.ts'

describe('the words of a body', () => {
  it.each([
    ['OpenAI', { error: { message: 'No.', type: 'invalid_request_error', code: 'bad' } }, 'No.'],
    ['vLLM', { object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }, 'No.'],
    ['FastAPI', { detail: 'Not Found' }, 'Not Found'],
    [
      'FastAPI, of several fields, without what was sent',
      {
        detail: [
          { type: 'missing', loc: ['body', 'a'], msg: 'Field required', input: 'secret' },
          { type: 'string_type', loc: ['body', 'b'], msg: 'Input should be a string', input: 7 },
        ],
      },
      'Field required: Input should be a string',
    ],
    ['LM Studio', { error: 'No models loaded.' }, 'No models loaded.'],
    ['Gemini in a list', [{ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }], 'No.'],
    ['Cloudflare', { success: false, errors: [{ code: 7000, message: 'No route' }] }, 'No route'],
    [
      'OpenRouter, with those of the server behind it',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"Too long"}}' },
        },
      },
      'Provider returned error: Too long',
    ],
    [
      'LiteLLM, with JSON in the message',
      {
        error: {
          message:
            'litellm.BadRequestError: AnthropicException - {"type":"error","error":{"message":"Too low."}}',
        },
      },
      'litellm.BadRequestError: AnthropicException - Too low.',
    ],
    [
      'a proxy in Python',
      { detail: "Error code: 400 - {'error': {'message': 'Too low.', 'type': 'x'}}" },
      'Error code: 400 - Too low.',
    ],
  ])('of %s are its message', (_, body, message) => {
    expect(wordsOfBody(JSON.stringify(body)).message).toBe(message)
  })

  it.each([
    ['{"error":{"type":"bad","message":"No \\"more\\".","param":"yyy', 'No "more".', ['bad']],
    ['{"error":{"message":"Not whole \\u00', 'Not whole ', []],
    ['{"prompt":"\\"message\\": \\"fake\\"","message":"Own"', 'Own', []],
    ['{"detail":"Own","code":"one"', 'Own', ['one']],
    ['[ERROR] not JSON', '[ERROR] not JSON', []],
  ])('are read of JSON without its end: %s', (body, message, codes) => {
    expect(wordsOfBody(body)).toEqual({ message, codes, status: undefined })
  })

  it('of a page are its title and text, without scripts', () => {
    const page =
      '<!doctype html>\n<html><head><title> 502 Bad Gateway </title><style>b{}</style></head><body><script>x()</script><h1>Sorry</h1> try <b>later</b></body></html>'
    expect(wordsOfBody(page).message).toBe('502 Bad Gateway: Sorry try later')
    expect(
      wordsOfBody('<html><head><title>Not Found</title></head><body><h1>Not Found</h1>nginx</body></html>')
        .message,
    ).toBe('Not Found nginx')
    expect(wordsOfBody(' upstream\n connect error ').message).toBe('upstream connect error')
    expect(wordsOfBody('').message).toBe('')
  })

  it('name codes and a status', () => {
    const body = {
      error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'RATE' }] },
    }
    expect(wordsOfBody(JSON.stringify(body))).toMatchObject({
      status: 429,
      codes: ['RESOURCE_EXHAUSTED', 'RATE'],
    })
  })
})
