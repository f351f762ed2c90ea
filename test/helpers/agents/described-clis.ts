import type { AgentProgram } from '../../../src/schema/agent/agent-program.ts'

const result = "$[?@.type == 'result']"
const claudeWords = ['-p', '--bare', '--output-format', 'json', '--model', '{model}']
const codexWords = ['exec', '--json', '--skip-git-repo-check', '-m', '{model}']
const geminiWords = ['-o', 'json', '-m', '{model}', '--skip-trust', '--approval-mode', 'yolo']
const opencodeWords = ['run', '--format', 'json', '-m', 'bench/{model}', '--title', 'bench', '--auto']
const qwenWords = ['-o', 'json', '-m', '{model}', '--approval-mode', 'yolo']
const step = "$[?@.type == 'step_finish'].part"

/** The known CLIs as a config file would describe them, so that nothing of them is known by name alone. */
export const describedClis = {
  claude: {
    command: ['claude', ...claudeWords],
    resume: ['claude', ...claudeWords, '--resume', '{session}'],
    env: { ANTHROPIC_BASE_URL: '{baseUrl}', CLAUDE_CODE_MAX_RETRIES: '0' },
    keyInside: 'ANTHROPIC_API_KEY',
    text: '$.result',
    session: '$.session_id',
    error: '$.is_error',
    status: '$.api_error_status',
    tokens: {
      input: [
        '$.usage.input_tokens',
        '$.usage.cache_read_input_tokens',
        '$.usage.cache_creation_input_tokens',
      ],
      output: '$.usage.output_tokens',
      cached: '$.usage.cache_read_input_tokens',
      cacheWrite: '$.usage.cache_creation_input_tokens',
      reasoning: '$.usage.output_tokens_details.thinking_tokens',
    },
    cost: '$.total_cost_usd',
    usage: '$.usage',
    totals: ['cost'],
  },
  codex: {
    command: ['codex', ...codexWords, '-'],
    resume: ['codex', ...codexWords, 'resume', '{session}', '-'],
    home: {
      '.codex/config.toml': [
        'model_provider = "bench"',
        'web_search = "disabled"',
        'features.plugins = false',
        'features.apps = false',
        '[model_providers.bench]',
        'name = "bench"',
        'base_url = "{baseUrl}"',
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        'supports_websockets = false',
        '',
      ].join('\n'),
    },
    keyInside: 'OPENAI_API_KEY',
    output: 'json-lines',
    text: "$[?@.item.type == 'agent_message'].item.text",
    session: '$[*].thread_id',
    error: "$[?@.type == 'turn.failed'].error",
    tokens: {
      input: { last: '$[*].usage.input_tokens' },
      output: { last: '$[*].usage.output_tokens' },
      cached: { last: '$[*].usage.cached_input_tokens' },
      cacheWrite: { last: '$[*].usage.cache_write_input_tokens' },
      reasoning: { last: '$[*].usage.reasoning_output_tokens' },
    },
    usage: '$[*].usage',
    totals: ['tokens'],
  },
  gemini: {
    command: ['gemini', ...geminiWords],
    resume: ['gemini', ...geminiWords, '--resume', '{session}'],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', GOOGLE_GEMINI_BASE_URL: '{baseUrl}' },
    home: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        tools: { exclude: ['google_web_search', 'web_fetch'] },
      }),
    },
    keyInside: 'GEMINI_API_KEY',
    text: '$.response',
    session: '$.session_id',
    error: '$.error',
    tokens: {
      input: ['$.stats.models.*.tokens.input', '$.stats.models.*.tokens.cached'],
      output: ['$.stats.models.*.tokens.candidates', '$.stats.models.*.tokens.thoughts'],
      cached: '$.stats.models.*.tokens.cached',
      reasoning: '$.stats.models.*.tokens.thoughts',
    },
    usage: '$.stats.models',
  },
  opencode: {
    command: ['opencode', ...opencodeWords],
    resume: ['opencode', ...opencodeWords, '--session', '{session}'],
    home: {
      '.config/opencode/opencode.json': JSON.stringify({
        small_model: 'bench/{model}',
        provider: {
          bench: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: '{baseUrl}', apiKey: '{env:OPENAI_API_KEY}' },
            models: { '{model}': { name: '{model}' } },
          },
        },
      }),
    },
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    keyInside: 'OPENAI_API_KEY',
    output: 'json-lines',
    text: { all: "$[?@.type == 'text'].part.text" },
    session: '$[*].sessionID',
    error: "$[?@.type == 'error'].error.data.message",
    status: "$[?@.type == 'error'].error.data.statusCode",
    tokens: {
      input: [`${step}.tokens.input`, `${step}.tokens.cache.read`, `${step}.tokens.cache.write`],
      output: [`${step}.tokens.output`, `${step}.tokens.reasoning`],
      cached: `${step}.tokens.cache.read`,
      cacheWrite: `${step}.tokens.cache.write`,
      reasoning: `${step}.tokens.reasoning`,
    },
  },
  qwen: {
    command: ['qwen', ...qwenWords],
    resume: ['qwen', ...qwenWords, '--resume', '{session}'],
    env: { OPENAI_BASE_URL: '{baseUrl}', OPENAI_MODEL: '{model}', QWEN_CODE_NO_RELAUNCH: 'true' },
    home: {
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      }),
    },
    keyInside: 'OPENAI_API_KEY',
    text: `${result}.result`,
    session: `${result}.session_id`,
    error: `${result}.error`,
    tokens: {
      input: `${result}.usage.input_tokens`,
      output: `${result}.usage.output_tokens`,
      cached: `${result}.usage.cache_read_input_tokens`,
      reasoning: `${result}.stats.models.*.tokens.thoughts`,
    },
    totals: ['tokens'],
  },
} satisfies Record<string, AgentProgram>
