import { longestTimer } from '../../base/longest-timer.ts'
import { isObject } from '../../text/is-object.ts'
import { servers } from '../vendor.ts'
import { type Json, numberAt, objectAt, sum, textAt } from '../wire/json.ts'
import { anthropicTokens, unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliCall, type CliKind, type CliOutput, type CliReading, cliRetries, lastJson } from './kind.ts'

const families = new Set(['sonnet', 'opus', 'haiku', 'fable'])

/** Claude Code. `--bare` turns off hooks, CLAUDE.md and memory, so that a trial knows only its prompt. */
export const claudeCli: CliKind = {
  name: 'claude-cli',
  program: 'claude',
  summary: "Anthropic's Claude Code, as a program in the task's folder.",
  install: 'npm install --global @anthropic-ai/claude-code@latest',
  ...servers.anthropic,
  keyInside: 'ANTHROPIC_API_KEY',
  wires: ['messages'],
  isSameModel: (model, asked) => {
    const [name = ''] = model.split('[')
    return asked === name || (families.has(name) && asked.startsWith(`claude-${name}-`))
  },
  billedBy: 'anthropic',
  directs: true,
  range: { efforts: ['low', 'medium', 'high', 'xhigh', 'max'], leastBudget: 1024 },
  args: ({ model, session, contained, reasoning, server }) => [
    '-p',
    '--bare',
    '--output-format',
    'json',
    '--model',
    model,
    ...(typeof reasoning === 'string' ? ['--effort', reasoning] : []),
    ...(contained ? ['--dangerously-skip-permissions'] : ['--permission-mode', 'acceptEdits']),
    ...(session ? ['--resume', session] : []),
    ...(server ? serverArgs(server) : []),
  ],
  env: ({ baseUrl, contained, reasoning, server }) => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: String(cliRetries),
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    // Without this it refuses to skip permissions as root.
    ...(contained && { IS_SANDBOX: '1' }),
    ...(typeof reasoning === 'number' && { MAX_THINKING_TOKENS: String(reasoning) }),
    // Without these its model sees no tool of a server at first, and a call may not take as long as what it asks for.
    ...(server && { ENABLE_TOOL_SEARCH: 'false', MCP_TOOL_TIMEOUT: String(longestTimer) }),
    ANTHROPIC_BASE_URL: baseUrl,
  }),
  home: () => ({}),
  read: readClaude,
}

const serverArgs = (server: NonNullable<CliCall['server']>): string[] => [
  '--strict-mcp-config',
  '--mcp-config',
  JSON.stringify({ mcpServers: { bench: { type: 'stdio', ...server } } }),
  '--tools',
  '',
  '--allowed-tools',
  'mcp__bench',
]

/**
 * Reads `claude -p --output-format json`: one object, or an array whose last item is the result. `usage` belongs to this
 * call; cost and `modelUsage` belong to the whole session. An error may have `subtype: "success"`, so only `is_error` counts.
 */
export function readClaude(output: CliOutput): CliReading {
  const { stdout, exitCode } = output
  const json = lastJson(stdout)
  const result = [json].flat().findLast((one) => isObject(one) && one.type === 'result')
  if (!isObject(result)) {
    const message = endMessage(output, 'no JSON')
    return {
      text: '',
      tokens: unreportedTokens,
      costUsd: null,
      cumulative: { tokens: false, cost: true },
      error: { reason: causeOf(message), message },
    }
  }
  const usage = objectAt(result, 'usage')
  const [model] = Object.keys(objectAt(result, 'modelUsage'))
  const text = textAt(result, 'result')
  const failed = result.is_error === true || exitCode !== 0
  const error = failed ? errorOf(result, text) : undefined
  const session = textAt(result, 'session_id')
  return {
    text: failed ? '' : text,
    ...(session && { session }),
    tokens: tokensOf(result, error),
    costUsd: numberAt(result, 'total_cost_usd'),
    cumulative: { tokens: false, cost: true },
    ...(model && { model }),
    usage: { ...usage, modelUsage: result.modelUsage },
    ...(error && { error }),
  }
}

function errorOf(result: Json, text: string): NonNullable<CliReading['error']> {
  const errors = Array.isArray(result.errors) ? result.errors.map(String).join('; ') : ''
  const subtype = textAt(result, 'subtype')
  const message = text || errors || `it says ${subtype}`
  // Its own limits ended it; what it wrote before counts.
  if (subtype === 'error_max_turns' || subtype === 'error_max_budget_usd') {
    return { reason: 'exit', message: `${subtype}: ${message}` }
  }
  // The only sign of a refusal by the model, whose message depends on the vendor's page.
  if (result.stop_reason === 'refusal') return { reason: 'refusal', message }
  if (textAt(result, 'api_error') === 'max_output_tokens') return { reason: 'empty', message }
  return { reason: causeOf(message, numberAt(result, 'api_error_status')), message }
}

/**
 * Reads the usage. It lacks the last call if the budget ended the program, and holds the beginning of replies that broke off, whose
 * tokens are not known.
 */
function tokensOf(result: Json, error: CliReading['error']): CliReading['tokens'] {
  if (error?.reason === 'network' || error?.reason === 'server') return unreportedTokens
  if (textAt(result, 'subtype') !== 'error_max_budget_usd') return anthropicTokens(objectAt(result, 'usage'))
  const models = Object.values(objectAt(result, 'modelUsage')).map((usage) => objectAt(usage))
  const total = (field: string) => sum(...models.map((usage) => numberAt(usage, field)))
  const cached = total('cacheReadInputTokens')
  const written = total('cacheCreationInputTokens')
  return {
    input: sum(total('inputTokens'), cached, written),
    output: total('outputTokens'),
    cached,
    ...(written !== null && { cacheWrite: written }),
  }
}
