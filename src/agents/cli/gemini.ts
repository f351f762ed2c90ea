import { longestTimer } from '../../base/longest-timer.ts'
import { isObject } from '../../text/is-object.ts'
import { wordsOf } from '../failures/server-words.ts'
import { servers } from '../vendor.ts'
import { type Json, numberAt, objectAt, sum, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliKind, type CliOutput, type CliReading, lastJson } from './kind.ts'

const families = new Set(['pro', 'flash', 'flash-lite'])

/** Gemini CLI. Without `-m` it calls a router model first. Its sessions belong to its working folder. */
export const geminiCli: CliKind = {
  name: 'gemini-cli',
  program: 'gemini',
  summary: "Google's Gemini CLI, as a program in the task's folder.",
  install: 'npm install --global @google/gemini-cli@latest',
  ...servers.google,
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  keyInside: 'GEMINI_API_KEY',
  wires: ['gemini'],
  isSameModel: (model, asked) =>
    families.has(model) && new RegExp(`^gemini-[\\d.]+-${model}(?:-preview[\\w-]*)?$`).test(asked),
  billedBy: 'google',
  directs: true,
  args: ({ model, session, contained }) => [
    '-o',
    'json',
    '-m',
    model,
    '--skip-trust',
    '--approval-mode',
    contained ? 'yolo' : 'auto_edit',
    ...(session ? ['--resume', session] : []),
  ],
  env: ({ baseUrl }) => ({
    // One process only: a relaunched one would outlive the first.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GOOGLE_GEMINI_BASE_URL: baseUrl,
  }),
  home: ({ providerTools, server }) => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      // The first attempt counts, so this means no retry.
      general: { maxAttempts: 1, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      // The search asks another model of the provider, with a tool of its own.
      ...(!providerTools && { tools: { exclude: ['google_web_search', 'web_fetch'] } }),
      ...(server && {
        mcpServers: { bench: { ...server, timeout: longestTimer, trust: true } },
        // All that it has; an empty list would allow everything.
        tools: { core: ['mcp_bench_*'] },
      }),
    }),
  }),
  read: readGemini,
}

/**
 * Reads `gemini -o json`: one object on stdout, or on failure the last JSON object on stderr. Usage belongs to this call, by
 * model (a router has its own), and `candidates` excludes thoughts. `error` may come with a partial answer and exit code 0.
 */
export function readGemini(output: CliOutput): CliReading {
  const { stdout, stderr, exitCode } = output
  const answer = lastJson(stdout)
  const json = isObject(answer) ? answer : lastJson(stderr)
  const result = isObject(json) ? json : {}
  const models = Object.entries(objectAt(result, 'stats', 'models'))
  const session = textAt(result, 'session_id')
  const failed = isObject(result.error) || exitCode !== 0 || !isObject(answer)
  const [model] = models.at(-1) ?? []
  return {
    text: failed ? '' : textAt(result, 'response'),
    ...(session && { session }),
    tokens: tokensOf(models.map(([, stats]) => objectAt(stats, 'tokens'))),
    costUsd: null,
    cumulative: { tokens: false, cost: false },
    ...(model && { model }),
    ...(models.length > 0 && { usage: objectAt(result, 'stats', 'models') }),
    ...(failed && { error: errorOf(objectAt(result, 'error'), output) }),
  }
}

function tokensOf(models: readonly Json[]): CliReading['tokens'] {
  if (models.length === 0) return unreportedTokens
  const total = (field: string) => sum(...models.map((tokens) => numberAt(tokens, field)))
  const thoughts = total('thoughts')
  return {
    input: sum(total('input'), total('cached')),
    output: sum(total('candidates'), thoughts ?? 0),
    cached: total('cached'),
    ...(thoughts !== null && { reasoning: thoughts }),
  }
}

function errorOf(error: Json, output: CliOutput): NonNullable<CliReading['error']> {
  const told = textAt(error, 'message')
  const message = wordsOf(told).message || endMessage(output, 'no JSON')
  const status = numberAt(error, 'code')
  const cause = causeOf(
    told || message,
    status !== null && status >= 400 ? status : statusOf(output.exitCode),
  )
  // The type of a stream that was cut and of one that was empty, which its message tells.
  const isStream = textAt(error, 'type') === 'INVALID_STREAM'
  return { reason: isStream && cause !== 'empty' ? 'network' : cause, message }
}

/** Returns the HTTP status of a refused request. Its exit code is the status modulo 256. */
function statusOf(exitCode: number | null): number | null {
  const statuses = [400, 401, 403, 404, 408, 429, 500, 502, 503, 504, 529]
  return statuses.find((status) => status % 256 === exitCode) ?? null
}
