import { wordsOf } from '../failures/server-words.ts'
import { servers } from '../vendor.ts'
import { type Json, numberAt, objectAt, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliCall, type CliKind, type CliOutput, type CliReading, cliRetries, jsonLines } from './kind.ts'

/**
 * Codex CLI. It takes another address only from a model provider in its configuration. Its own sandbox does not start
 * inside another sandbox and then silently fails every command.
 */
export const codexCli: CliKind = {
  name: 'codex-cli',
  program: 'codex',
  summary: "OpenAI's Codex CLI, as a program in the task's folder.",
  install: 'npm install --global @openai/codex@latest',
  ...servers.openai,
  keyInside: 'OPENAI_API_KEY',
  wires: ['responses'],
  version: '/v1',
  billedBy: 'openai',
  directs: true,
  range: { efforts: ['minimal', 'low', 'medium', 'high', 'xhigh'] },
  args: ({ model, session, contained, reasoning }) => [
    'exec',
    '--json',
    '--skip-git-repo-check',
    '-m',
    model,
    ...(reasoning === undefined ? [] : ['-c', `model_reasoning_effort="${reasoning}"`]),
    ...(contained ? ['--dangerously-bypass-approvals-and-sandbox'] : ['-s', 'workspace-write']),
    ...(session ? ['resume', session] : []),
    '-',
  ],
  env: () => ({}),
  home: ({ baseUrl, providerTools, server }) => ({
    '.codex/config.toml': [
      'model_provider = "bench"',
      // Without this it offers a search by the provider in every request.
      ...(providerTools ? [] : ['web_search = "disabled"']),
      'history.persistence = "none"',
      'features.plugins = false',
      'features.apps = false',
      'features.memories = false',
      // Newer models then ask no other model by a sub-agent. That of older ones has no such setting: the gateway refuses it.
      'features.multi_agent_v2.expose_spawn_agent_model_overrides = false',
      ...(server ? [...ownTools.map((name) => `features.${name} = false`), 'agents.enabled = false'] : []),
      'analytics.enabled = false',
      'otel.exporter = "none"',
      '[model_providers.bench]',
      'name = "bench"',
      `base_url = ${JSON.stringify(baseUrl)}`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      'supports_websockets = false',
      `request_max_retries = ${cliRetries}`,
      `stream_max_retries = ${cliRetries}`,
      ...(server ? serverLines(server) : []),
      '',
    ].join('\n'),
  }),
  read: readCodex,
}

/** Its features that are tools of its own. */
const ownTools = ['shell_tool', 'unified_exec', 'view_image', 'image_generation', 'goals']

const serverLines = ({ command, args, env }: NonNullable<CliCall['server']>) => [
  '[mcp_servers.bench]',
  `command = ${JSON.stringify(command)}`,
  `args = ${JSON.stringify(args)}`,
  'startup_timeout_sec = 60',
  'tool_timeout_sec = 86400',
  '[mcp_servers.bench.env]',
  ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
]

/**
 * Reads `codex exec --json`: one event per line. Usage is the total of the thread. Events and items of type `error` may be
 * warnings; only `turn.failed` or a non-zero exit code is a failure.
 */
export function readCodex(output: CliOutput): CliReading {
  const { stdout, exitCode } = output
  const events = jsonLines(stdout)
  const completed = events.findLast(({ type }) => type === 'turn.completed')
  const failed = events.findLast(({ type }) => type === 'turn.failed')
  const session = textAt(events.find(({ type }) => type === 'thread.started') ?? {}, 'thread_id')
  const answer = events.findLast(
    (event) => event.type === 'item.completed' && objectAt(event, 'item').type === 'agent_message',
  )
  const usage = objectAt(completed, 'usage')
  const message = textAt(objectAt(failed, 'error'), 'message')
  // A reply that its limit cut is a failed turn; what it says is the answer, as from any other agent.
  const isCut = message.includes('max_output_tokens')
  const broken = (failed !== undefined || completed === undefined || exitCode !== 0) && !isCut
  return {
    text: broken ? '' : textAt(objectAt(answer, 'item'), 'text'),
    ...(session && { session }),
    tokens: completed ? tokensOf(usage) : unreportedTokens,
    costUsd: null,
    cumulative: { tokens: true, cost: false },
    ...(completed && { usage }),
    ...(broken && { error: errorOf(message, events, output) }),
  }
}

function tokensOf(usage: Json): CliReading['tokens'] {
  const write = numberAt(usage, 'cache_write_input_tokens')
  const reasoning = numberAt(usage, 'reasoning_output_tokens')
  return {
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cached: numberAt(usage, 'cached_input_tokens'),
    ...(write !== null && { cacheWrite: write }),
    ...(reasoning !== null && { reasoning }),
  }
}

function errorOf(
  failed: string,
  events: readonly Json[],
  output: CliOutput,
): NonNullable<CliReading['error']> {
  const told = failed || textAt(events.findLast(({ type }) => type === 'error') ?? {}, 'message')
  const message = told || endMessage(output, 'no end of its turn')
  return { reason: causeOf(message), message: wordsOf(message).message }
}
