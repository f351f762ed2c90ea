import { wordsOf } from '../failures/server-words.ts'
import { servers } from '../vendor.ts'
import { type Json, numberAt, objectAt, sum, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliKind, type CliOutput, type CliReading, jsonLines } from './kind.ts'

/** opencode, with any OpenAI-compatible server. Passing a title avoids a hidden call that would make one. */
export const opencodeCli: CliKind = {
  name: 'opencode-cli',
  program: 'opencode',
  summary: "The program opencode with any OpenAI-compatible server, in the task's folder.",
  install: 'npm install --global opencode-ai@latest',
  ...servers.openai,
  keyVariables: ['OPENAI_API_KEY'],
  instead: servers.compatible,
  keyInside: 'OPENAI_API_KEY',
  wires: ['chat'],
  args: ({ model, session, contained }) => [
    'run',
    '--format',
    'json',
    '-m',
    `bench/${model}`,
    '--title',
    'bench',
    ...(contained ? ['--auto'] : []),
    ...(session ? ['--session', session] : []),
  ],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // The default plugins log in to vendors at each start.
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  home: ({ model, baseUrl }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      small_model: `bench/${model}`,
      provider: {
        bench: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: baseUrl, apiKey: '{env:OPENAI_API_KEY}' },
          models: { [model]: { name: model } },
        },
      },
    }),
  }),
  read: readOpencode,
}

/**
 * Reads `opencode run --format json`: one event per line. Each step reports its own usage; input excludes cache reads and
 * output excludes reasoning. A refused tool ends the run with exit code 0 and no text.
 */
export function readOpencode(output: CliOutput): CliReading {
  const { stdout, exitCode } = output
  const events = jsonLines(stdout)
  const steps = events.filter(({ type }) => type === 'step_finish').map((event) => objectAt(event, 'part'))
  const failed = events.findLast(({ type }) => type === 'error')
  const text = events
    .filter(({ type }) => type === 'text')
    .map((event) => textAt(objectAt(event, 'part'), 'text'))
    .join('\n')
  const session = textAt(events.find((event) => textAt(event, 'sessionID')) ?? {}, 'sessionID')
  const isTold = events.some((event) => textAt(event, 'type') !== '')
  const broken = failed !== undefined || exitCode !== 0 || !isTold
  return {
    text: broken ? '' : text,
    ...(session && { session }),
    tokens: tokensOf(steps.map((step) => objectAt(step, 'tokens'))),
    // It reports 0 for a model whose price it does not know.
    costUsd: sum(...steps.map((step) => numberAt(step, 'cost'))) || null,
    cumulative: { tokens: false, cost: false },
    ...(steps.length > 0 && { usage: { steps: steps.map(({ tokens, cost }) => ({ tokens, cost })) } }),
    ...(broken && { error: errorOf(failed, output) }),
  }
}

function tokensOf(steps: readonly Json[]): CliReading['tokens'] {
  if (steps.length === 0) return unreportedTokens
  const total = (field: string) => sum(...steps.map((tokens) => numberAt(tokens, field)))
  const cache = (field: string) => sum(...steps.map((tokens) => numberAt(objectAt(tokens, 'cache'), field)))
  const reasoning = total('reasoning')
  const write = cache('write')
  return {
    input: sum(total('input'), cache('read') ?? 0, write ?? 0),
    output: sum(total('output'), reasoning ?? 0),
    cached: cache('read'),
    ...(write !== null && { cacheWrite: write }),
    ...(reasoning !== null && { reasoning }),
  }
}

function errorOf(failed: Json | undefined, output: CliOutput): NonNullable<CliReading['error']> {
  const error = objectAt(failed, 'error')
  const data = objectAt(error, 'data')
  const told = textAt(data, 'message') || textAt(error, 'message')
  const message = told || endMessage(output, 'no JSON')
  return { reason: causeOf(message, numberAt(data, 'statusCode')), message: wordsOf(message).message }
}
