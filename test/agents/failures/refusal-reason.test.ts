import { describe, expect, it } from 'vitest'
import { reasonOfRefusal } from '../../../src/agents/failures/refusal-reason.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const said = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } })

describe('a request that a server refuses', () => {
  it.each([
    [
      'Gemini, a wrong key',
      400,
      said('API key not valid. Please pass a valid API key.', { status: 'INVALID_ARGUMENT' }),
      'key',
    ],
    [
      'Gemini, a wrong key by its code',
      400,
      said('No.', { details: [{ reason: 'API_KEY_INVALID' }] }),
      'key',
    ],
    ['Gemini, an old key', 400, said('API key expired. Please renew the API key.'), 'key'],
    ['Gemini, a place', 400, said('User location is not supported for the API use.'), 'key'],
    [
      'xAI, a wrong key',
      400,
      JSON.stringify({ code: 'x', error: 'Incorrect API key provided: ab***. Get one' }),
      'key',
    ],
    ['any, a wrong key', 401, '', 'key'],
    ['any, no permission', 403, said('You may not.'), 'key'],
    [
      'Anthropic, an empty account',
      400,
      said('Your credit balance is too low to access the Anthropic API. Please go to Plans.', {
        type: 'invalid_request_error',
      }),
      'quota',
    ],
    [
      'OpenAI, an empty account',
      429,
      said('You exceeded your current quota', { code: 'insufficient_quota' }),
      'quota',
    ],
    ['OpenRouter, an empty account', 402, said('Insufficient credits. Add more'), 'quota'],
    [
      'xAI, an empty account',
      403,
      JSON.stringify({ error: 'Your team has either used all available credits or reached its limit.' }),
      'quota',
    ],
    [
      'OpenRouter, an unknown model',
      400,
      said('acme/none is not a valid model ID', { code: 400 }),
      'not-found',
    ],
    [
      'Groq, a model that is gone',
      400,
      said('The model `a-1.5` has been decommissioned.', { code: 'model_decommissioned' }),
      'not-found',
    ],
    ['Azure, an unknown deployment', 404, said('No.', { code: 'DeploymentNotFound' }), 'not-found'],
    ['DeepSeek, an unknown model', 400, said('Model Not Exist'), 'not-found'],
    [
      'Mistral, an unknown model',
      400,
      JSON.stringify({ object: 'error', message: 'Invalid model: x', type: 'invalid_model' }),
      'not-found',
    ],
    [
      'any, an unknown model with a point in its name',
      400,
      said('The model a-5.1 does not exist or you have no access'),
      'not-found',
    ],
    ['any, an unknown path', 404, '<html><head><title>404 Not Found</title></head></html>', 'not-found'],
    [
      'LM Studio, no model',
      500,
      JSON.stringify({ error: 'No models loaded. Please load one.' }),
      'not-found',
    ],
    [
      'OpenRouter, moderation',
      403,
      said('x/y requires moderation. Your input was flagged for "violence"'),
      'refusal',
    ],
    [
      'Azure, its filter',
      400,
      said("The response was filtered by Azure OpenAI's content management policy.", {
        code: 'content_filter',
      }),
      'refusal',
    ],
    ['Gemini, its filter', 400, said('Blocked.', { status: 'PROHIBITED_CONTENT' }), 'refusal'],
    ['any, a long prompt', 400, said('This model has a maximum context length of 10'), 'context-overflow'],
    ['any, a broken server that speaks of keys', 500, said('API key not valid'), 'server'],
    ['any, a loading model', 503, said('Loading model'), 'server'],
    ['any, something else', 400, said('messages must not be empty'), 'request'],
  ])('is understood: %s', (_, status, body, reason) => {
    expect(reasonOfRefusal(status, body)).toBe(reason)
  })

  it.each(tableOf<[number, string, string][]>(import.meta.url, 'statusMessage'))(
    'with status %i and the message %j has the reason %s',
    (status, message, reason) => {
      expect(reasonOfRefusal(status, said(message))).toBe(reason)
    },
  )

  it.each(tableOf<[number, string, string][]>(import.meta.url, 'statusCode'))(
    'with status %i and the code %j has the reason %s',
    (status, code, reason) => {
      expect(reasonOfRefusal(status, said('No.', { code }))).toBe(reason)
    },
  )

  it('is not understood by what it repeats of the prompt without quotes', () => {
    const echoes = [
      'Could not parse the reply at line 2: the API key not valid, flagged',
      'Parse error near the end: insufficient balance, context length',
      'Unexpected text: <answer>model x does not exist</answer>',
      'The reply was not JSON; got: the account is suspended',
    ]
    for (const echo of echoes) expect(reasonOfRefusal(400, said(echo))).toBe('request')
  })

  const prompt = 'API key not valid; credit balance is too low; context length; flagged'
  it.each([
    ['in a field beside the error', JSON.stringify({ error: { message: 'No.' }, input: prompt })],
    ['in the error', said('No.', { param: prompt, input: { text: prompt } })],
    ['in a list of details', JSON.stringify({ detail: [{ msg: 'Field required', input: prompt }] })],
    ['in quotes in the message', said(`Invalid value: "${prompt}"`)],
    ['in single quotes in the message', said(`Invalid value: '${prompt.replace('context length; ', '')}'`)],
  ])('is not understood by what it repeats of the prompt (%s)', (_, body) => {
    expect(reasonOfRefusal(400, body)).toBe('request')
  })
})
