import { describe, expect, it } from 'vitest'
import { reasonOfRefusal } from '../../../src/agents/failures/refusal-reason.ts'

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

  it.each([
    // Accounts
    [400, 'You have hit your monthly spend limit. Access returns on 1 May.', 'quota'],
    [400, 'ExceededBudget: this call has exceeded their budget', 'quota'],
    [403, 'Your prepaid balance is too low for this model', 'quota'],
    [403, '账户余额不足，请充值', 'quota'],
    [400, 'Account acme is suspended: insufficient funds', 'quota'],
    [400, 'This workspace has been suspended. Contact support.', 'key'],
    [400, 'To stream this model, verify your organization first.', 'key'],
    [400, 'Authentication failed: the key has no owner', 'key'],
    [400, 'The API key has been revoked by its owner', 'key'],
    // A rate, not a long prompt
    [413, 'Too much at once: limit of 9000 tokens per minute', 'quota'],
    [400, 'Rate limit reached: too many input tokens', 'quota'],
    // Models and routes
    [400, 'The model gemma-9 is not supported when you sign in with a plan.', 'not-found'],
    [400, 'Calls with on-demand throughput is not supported', 'not-found'],
    [400, '该模型不存在', 'not-found'],
    [400, 'Model `embed-2` cannot be used with the completions endpoint.', 'not-found'],
    [400, 'embed-2 is not a language model', 'not-found'],
    [400, 'That operation needs more. Please select a different model.', 'not-found'],
    [400, 'Error: failed to load the model (no such file)', 'not-found'],
    [400, 'Client sent an HTTP request to an HTTPS server.', 'not-found'],
    [400, 'Bad Request - Invalid Hostname', 'not-found'],
    [405, 'POST is not allowed here', 'not-found'],
    [307, '', 'not-found'],
    [407, '', 'key'],
    // The model is there, a feature is not
    [400, 'The model `a-1` is not supported with response_format', 'request'],
    [400, 'This model is not supported for image input', 'request'],
    [400, '`top_k` is not supported with this model', 'request'],
    // Breakdowns
    [400, 'The model process has exited (signal 9)', 'server'],
    [422, 'CUDA error: device-side assert', 'server'],
    [408, '', 'server'],
    [409, 'Conflict', 'server'],
    [424, 'A dependency failed', 'server'],
    [425, '', 'server'],
    [498, 'No room', 'quota'],
    // Filters
    [403, 'Your input was flagged. No credits have been used.', 'refusal'],
    [403, 'The text violates our content policies', 'refusal'],
    [400, 'Output may contain sensitive words', 'refusal'],
    [400, '输入包含敏感词', 'refusal'],
    [400, 'Potentially unsafe or sensitive content was found', 'refusal'],
    // Long prompts
    [400, 'The maximum input length is 100 tokens', 'context-overflow'],
    [400, 'The request exceeds the token limit of 500', 'context-overflow'],
    [422, '`inputs` must have less than 1024 tokens. Given: 1500', 'context-overflow'],
    [400, 'The conversation is too long for this model', 'context-overflow'],
    [400, 'The input token count of 9000 exceeds 4096', 'context-overflow'],
    [400, 'Input exceeds the maximum', 'context-overflow'],
    [400, '输入内容过长', 'context-overflow'],
    [400, 'Input + output: 50 + 60 > the context length of 100', 'context-overflow'],
    // The limit of the output is too high, and the prompt may fit
    [400, "'max_tokens' is too large: 9. This model's maximum context length is 8.", 'request'],
    [400, 'max_completion_tokens must be at most the context window', 'request'],
    // A broken server tells nothing but an empty account
    [500, 'Insufficient account balance', 'quota'],
    [503, 'A worker says: insufficient balance of load', 'server'],
    [500, 'litellm.RateLimitError: OpenAIException - slow down', 'quota'],
    [500, 'AuthenticationError: no such user', 'key'],
    [500, 'litellm.APIConnectionError: OpenAIException - model not found', 'server'],
  ])('with status %i and the message %j has the reason %s', (status, message, reason) => {
    expect(reasonOfRefusal(status, said(message))).toBe(reason)
  })

  it.each([
    [400, 'budget_exceeded', 'quota'],
    [401, 'CreditsError', 'quota'],
    [403, 'AccountOverdueError', 'quota'],
    [403, 'insufficient_user_quota', 'quota'],
    [413, 'rate_limit_exceeded', 'quota'],
    [498, 'capacity_exceeded', 'quota'],
    [400, 'expired_key', 'key'],
    [400, 'organization_restricted', 'key'],
    [500, 'token_expired', 'key'],
    [503, 'model_not_found', 'not-found'],
    [400, 'OperationNotSupported', 'not-found'],
    [400, 'OutputTextSensitiveContentDetected', 'refusal'],
    [400, 'sensitive_words_detected', 'refusal'],
    [400, 'DataInspectionFailed', 'refusal'],
    [400, 'InputTextRiskDetection', 'refusal'],
    [400, 'model_max_prompt_tokens_exceeded', 'context-overflow'],
    [500, 'context_length_exceeded', 'context-overflow'],
    [500, 'internal_error', 'server'],
    [400, 'unsupported_value', 'request'],
  ])('with status %i and the code %j has the reason %s', (status, code, reason) => {
    expect(reasonOfRefusal(status, said('No.', { code }))).toBe(reason)
  })

  it('is not understood by what it repeats of the prompt without quotes', () => {
    const echoes = [
      'Could not parse the reply at line 2: the API key not valid, flagged',
      'Parse error near the end: insufficient balance, context length',
      'Unexpected text: <answer>model x does not exist</answer>',
      'The reply was not JSON; got: the account is suspended',
    ]
    for (const echo of echoes) expect(reasonOfRefusal(400, said(echo))).toBe('request')
  })

  it('is read in time, however long and hostile its message is', () => {
    for (const part of ['model ', '"', "'", 'failed to parse ', 'input ', 'x: <']) {
      const began = performance.now()
      reasonOfRefusal(400, said(part.repeat(1_000_000 / part.length)))
      expect(performance.now() - began).toBeLessThan(1000)
    }
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
