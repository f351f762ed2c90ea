import type { AgentErrorReason } from '../../text/errors.ts'
import { isObject } from '../../text/is-object.ts'
import { wordsOf } from '../failures/server-words.ts'
import { servers } from '../vendor.ts'
import { type Json, numberAt, objectAt, sum, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliKind, type CliOutput, type CliReading, cliRetries, lastJson } from './kind.ts'

/** Qwen Code. Its memory is off, since it would make extra calls. */
export const qwenCli: CliKind = {
  name: 'qwen-cli',
  program: 'qwen',
  summary: "Qwen Code with any OpenAI-compatible server, as a program in the task's folder.",
  install: 'npm install --global @qwen-code/qwen-code@latest',
  ...servers.dashscope,
  instead: servers.compatible,
  keyInside: 'OPENAI_API_KEY',
  wires: ['chat'],
  args: ({ model, session, contained }) => [
    '-o',
    'json',
    '-m',
    model,
    '--approval-mode',
    contained ? 'yolo' : 'auto-edit',
    ...(session ? ['--resume', session] : []),
  ],
  env: ({ model, baseUrl }) => ({
    OPENAI_BASE_URL: baseUrl,
    OPENAI_MODEL: model,
    QWEN_CODE_NO_RELAUNCH: 'true',
  }),
  home: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      general: { disableAutoUpdate: true },
      // A call of the model after the answer.
      ui: { enableFollowupSuggestions: false },
      // This covers its streams only: it still repeats a refused request.
      model: { generationConfig: { maxRetries: cliRetries } },
    }),
  }),
  read: readQwen,
}

/**
 * Reads `qwen -o json`: an array whose last item is the result. Usage is the total of the session, including hidden calls. On
 * failure the JSON may be on stderr with nothing on stdout.
 */
export function readQwen(output: CliOutput): CliReading {
  const { stdout, stderr, exitCode } = output
  const json = lastJson(stdout)
  const answer = Array.isArray(json)
    ? json.findLast((one) => isObject(one) && one.type === 'result')
    : undefined
  const result: Json = isObject(answer) ? answer : objectAt(lastJson(stderr))
  const usage = objectAt(result, 'usage')
  const session = textAt(result, 'session_id')
  const isJoined = Array.isArray(json) && json.some(isKept)
  const broke = result.is_error === true || exitCode !== 0 || !isObject(answer)
  const failed = broke || isJoined
  const models = Object.entries(objectAt(result, 'stats', 'models'))
  const thoughts = sum(...models.map(([, stats]) => numberAt(objectAt(stats, 'tokens'), 'thoughts')))
  const [model] = models.at(-1) ?? []
  const error = broke ? errorOf(result, output) : isJoined ? joined : undefined
  return {
    text: failed ? '' : textAt(result, 'result'),
    ...(session && { session }),
    tokens:
      Object.keys(usage).length > 0 && !isJoined && !isIncomplete(usage, error)
        ? tokensOf(usage, models.length > 0 ? thoughts : null)
        : unreportedTokens,
    costUsd: null,
    cumulative: { tokens: true, cost: false },
    ...(model && { model }),
    ...(Object.keys(usage).length > 0 && {
      usage: { ...usage, models: objectAt(result, 'stats', 'models') },
    }),
    ...(error && { error }),
  }
}

/** A reply that broke off: the program keeps its text and asks the model to go on, so the text of its answer is two parts in one. */
const isKept = (event: unknown) =>
  objectAt(event).subtype === 'retry' && objectAt(event, 'data').preserveText === true

const joined = {
  reason: 'network' as const,
  message: 'a reply broke off, and the program joined its part with another reply',
}

/** Whether a reply may be missing in the usage: the only one of a call that failed without being refused. */
const isIncomplete = (usage: Json, error: CliReading['error']): boolean =>
  error !== undefined && !refusals.includes(error.reason) && numberAt(usage, 'input_tokens') === 0

const refusals: readonly AgentErrorReason[] = ['key', 'quota', 'not-found', 'request', 'context-overflow']

function tokensOf(usage: Json, thoughts: number | null): CliReading['tokens'] {
  return {
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cached: numberAt(usage, 'cache_read_input_tokens'),
    ...(thoughts !== null && { reasoning: thoughts }),
  }
}

function errorOf(result: Json, output: CliOutput): NonNullable<CliReading['error']> {
  const told = textAt(objectAt(result, 'error'), 'message') || textAt(result, 'result')
  const message = told || endMessage(output, 'no JSON')
  return { reason: causeOf(message), message: wordsOf(message).message }
}
