import { anthropic, gemini, json, ollama, openai, page, type Refusals, router, second } from './refusal.ts'

/** What each vendor sends when it refuses a request, or cannot take it now: by fault, then by the name of the wire. */
export const requestRefusals = {
  'unknown model': {
    anthropic: [anthropic(404, 'not_found_error', 'model: no-such-model')],
    'openai-responses': [
      openai(400, "The requested model 'no-such-model' does not exist.", 'model_not_found'),
      openai(
        404,
        'The model `no-such-model` does not exist or you do not have access to it.',
        'model_not_found',
      ),
    ],
    gemini: [
      gemini(
        404,
        'NOT_FOUND',
        'models/no-such-model is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.',
      ),
    ],
    // vLLM, OpenRouter.
    'openai-chat': [
      json(404, {
        object: 'error',
        message: 'The model `no-such-model` does not exist.',
        type: 'NotFoundError',
        param: null,
        code: 404,
      }),
      router(400, 'no-such-model is not a valid model ID'),
    ],
    ollama: [ollama(404, "model 'no-such-model' not found")],
  },
  'wrong address': {
    anthropic: [page(404, '404 Not Found')],
    'openai-responses': [page(404, '404 Not Found')],
    gemini: [page(404, '404 Not Found')],
    // nginx, FastAPI.
    'openai-chat': [page(404, '404 Not Found'), json(404, { detail: 'Not Found' })],
    ollama: [{ kind: 'body', status: 404, type: 'text/plain', body: '404 page not found' }],
  },
  'no model loaded': {
    // LM Studio.
    'openai-chat': [
      json(404, {
        error: {
          message:
            'No models loaded. Please load a model in the developer page or use the `lms load` command.',
          type: 'invalid_request_error',
          param: 'model',
          code: null,
        },
      }),
    ],
  },
  'rate limit': {
    anthropic: [
      anthropic(
        429,
        'rate_limit_error',
        "This request would exceed your organization's rate limit of 50,000 input tokens per minute.",
        second,
      ),
    ],
    'openai-responses': [
      json(
        429,
        {
          error: {
            message:
              'Rate limit reached for gpt-5 in organization org-test on tokens per min (TPM): Limit 30000, Used 28000, Requested 5000. Please try again in 1s.',
            type: 'tokens',
            param: null,
            code: 'rate_limit_exceeded',
          },
        },
        second,
      ),
    ],
    gemini: [
      gemini(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' },
      ]),
    ],
    'openai-chat': [
      json(429, { error: { message: 'Rate limit exceeded: limit_rpm/test', code: 429 } }, second),
    ],
    ollama: [json(429, { error: 'too many requests' }, second)],
  },
  'server error': {
    anthropic: [anthropic(500, 'api_error', 'Internal server error')],
    'openai-responses': [
      openai(
        500,
        'The server had an error while processing your request. Sorry about that!',
        null,
        'server_error',
      ),
    ],
    gemini: [
      gemini(
        500,
        'INTERNAL',
        'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      ),
    ],
    // vLLM, a proxy.
    'openai-chat': [
      json(500, {
        object: 'error',
        message: 'EngineCore encountered an issue.',
        type: 'InternalServerError',
        param: null,
        code: 500,
      }),
      page(502, '502 Bad Gateway'),
    ],
    ollama: [ollama(500, 'model requires more system memory (5.6 GiB) than is available (2.3 GiB)')],
  },
  'overloaded server': {
    anthropic: [anthropic(529, 'overloaded_error', 'Overloaded')],
    'openai-responses': [
      openai(503, 'The engine is currently overloaded, please try again later', null, 'server_error'),
    ],
    gemini: [gemini(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')],
    // llama.cpp while it loads, OpenRouter.
    'openai-chat': [
      json(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      router(503, 'No instances available'),
    ],
    ollama: [ollama(503, 'server busy, please try again.  maximum pending requests exceeded')],
  },
  'prompt too long': {
    anthropic: [
      anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      anthropic(
        400,
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      ),
    ],
    'openai-responses': [
      openai(
        400,
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'context_length_exceeded',
      ),
    ],
    gemini: [
      gemini(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
    ],
    // vLLM, llama.cpp, LM Studio.
    'openai-chat': [
      json(400, {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens in the messages, Please reduce the length of the messages.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
      json(400, {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      }),
      json(400, {
        error:
          'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      }),
    ],
    ollama: [ollama(400, 'the input length exceeds the context length')],
  },
  'blocked prompt': {
    anthropic: [anthropic(400, 'invalid_request_error', 'Output blocked by content filtering policy')],
    'openai-responses': [
      openai(
        400,
        'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.',
        'invalid_prompt',
      ),
    ],
    gemini: [
      {
        kind: 'body',
        status: 200,
        type: 'text/event-stream',
        body: `data: ${JSON.stringify({
          promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
          usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 },
          modelVersion: 'gemini-2.5-pro',
        })}\n\n`,
      },
    ],
    // Azure, OpenRouter.
    'openai-chat': [
      openai(
        400,
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        'content_filter',
      ),
      json(403, {
        error: {
          message: 'Your chosen model requires moderation and your input was flagged for "violence".',
          code: 403,
          metadata: { reasons: ['violence'], flagged_input: 'What is six', provider_name: 'OpenAI' },
        },
      }),
    ],
  },
  'bad request': {
    anthropic: [anthropic(400, 'invalid_request_error', 'messages: text content blocks must be non-empty')],
    'openai-responses': [
      openai(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model.",
        'unsupported_parameter',
      ),
    ],
    gemini: [gemini(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')],
    // OpenAI's form, FastAPI.
    'openai-chat': [
      openai(
        400,
        "Unsupported value: 'temperature' does not support 0 with this model.",
        'unsupported_value',
      ),
      json(422, { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] }),
    ],
    ollama: [ollama(400, 'invalid options: num_ctx')],
  },
} satisfies Refusals
