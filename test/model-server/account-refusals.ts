import { anthropic, gemini, geminiInfo, json, openai, type Refusals, router } from './refusal.ts'

/** What each vendor sends when it refuses an account: by fault, then by the name of the wire. */
export const accountRefusals = {
  'invalid key': {
    anthropic: [anthropic(401, 'authentication_error', 'invalid x-api-key')],
    'openai-responses': [
      openai(
        401,
        'Incorrect API key provided: sk-****cdef. You can find your API key at https://platform.openai.com/account/api-keys.',
        'invalid_api_key',
      ),
    ],
    gemini: [
      gemini(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        geminiInfo('API_KEY_INVALID'),
      ]),
    ],
    // vLLM, OpenRouter, DeepSeek.
    'openai-chat': [
      json(401, { error: 'Unauthorized' }),
      router(401, 'No auth credentials found'),
      openai(
        401,
        'Authentication Fails, Your api key: ****cdef is invalid',
        'invalid_request_error',
        'authentication_error',
      ),
    ],
  },
  'expired key': {
    anthropic: [
      anthropic(
        401,
        'authentication_error',
        'OAuth token has expired. Please obtain a new token or refresh your existing token.',
      ),
    ],
    'openai-responses': [
      openai(401, 'Provided authentication token is expired. Please try signing in again.', 'token_expired'),
    ],
    gemini: [
      gemini(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.', [
        geminiInfo('API_KEY_INVALID'),
      ]),
    ],
    // LiteLLM's proxy.
    'openai-chat': [
      json(400, {
        error: {
          message:
            'Authentication Error - Expired Key. Key Expiry time 2026-01-01 00:00:00+00:00 and current time 2026-02-01 12:00:00+00:00',
          type: 'expired_key',
          param: 'None',
          code: '400',
        },
      }),
    ],
  },
  'empty account': {
    anthropic: [
      anthropic(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      ),
    ],
    'openai-responses': [
      openai(
        429,
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
        'insufficient_quota',
        'insufficient_quota',
      ),
    ],
    gemini: [
      gemini(
        429,
        'RESOURCE_EXHAUSTED',
        'Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.',
      ),
      gemini(
        403,
        'PERMISSION_DENIED',
        'This API method requires billing to be enabled. Please enable billing on project #123456789.',
        [geminiInfo('BILLING_DISABLED')],
      ),
    ],
    // OpenRouter, DeepSeek.
    'openai-chat': [
      router(402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits'),
      openai(402, 'Insufficient Balance', 'invalid_request_error', 'unknown_error'),
    ],
  },
  'place or account not allowed': {
    anthropic: [
      json(403, { error: { type: 'forbidden', message: 'Request not allowed' } }),
      anthropic(400, 'invalid_request_error', 'This organization has been disabled.'),
    ],
    'openai-responses': [
      openai(
        403,
        'Country, region, or territory not supported',
        'unsupported_country_region_territory',
        'request_forbidden',
      ),
    ],
    gemini: [
      gemini(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
      gemini(403, 'PERMISSION_DENIED', "Permission denied: Consumer 'api_key:none' has been suspended.", [
        geminiInfo('CONSUMER_SUSPENDED'),
      ]),
    ],
    // Groq.
    'openai-chat': [json(403, { error: { message: 'Access denied. Please check your network settings.' } })],
  },
} satisfies Refusals
