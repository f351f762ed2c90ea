import type { Tokens } from '../../schema/tokens.ts'
import { type Json, numberAt, objectAt, sum } from './json.ts'

/** Returns a provider's usage as tokens; undefined if its format is unknown. */
export function tokensFromUsage(usage: Json): Tokens | undefined {
  if ('promptTokenCount' in usage) return geminiTokens(usage)
  if ('prompt_tokens' in usage) return chatTokens(usage)
  if (!('input_tokens' in usage)) return undefined
  return 'total_tokens' in usage ? responsesTokens(usage) : anthropicTokens(usage)
}

/** Reads Anthropic's usage, which Claude Code also reports: input excludes cache reads and writes; output includes thinking. */
export function anthropicTokens(usage: Json): Tokens {
  const cached = numberAt(usage, 'cache_read_input_tokens')
  const written = numberAt(usage, 'cache_creation_input_tokens')
  const hour = numberAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')
  const reasoning = numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens')
  return {
    input: sum(numberAt(usage, 'input_tokens'), cached ?? 0, written ?? 0),
    output: numberAt(usage, 'output_tokens'),
    cached,
    ...(written !== null && { cacheWrite: written }),
    ...(hour !== null && { cacheWriteHour: hour }),
    ...(reasoning !== null && { reasoning }),
  }
}

const responsesTokens = (usage: Json) => openaiTokens(usage, ['input_tokens', 'output_tokens'])
const chatTokens = (usage: Json) => openaiTokens(usage, ['prompt_tokens', 'completion_tokens'])

/** Reads the usage of both OpenAI formats: sums, with their parts under `_details`. */
function openaiTokens(usage: Json, [input, output]: readonly [string, string]): Tokens {
  const reasoning = numberAt(objectAt(usage, `${output}_details`), 'reasoning_tokens')
  return {
    input: numberAt(usage, input),
    output: numberAt(usage, output),
    cached: numberAt(objectAt(usage, `${input}_details`), 'cached_tokens'),
    ...(reasoning !== null && { reasoning }),
  }
}

/** Reads Gemini's usage: candidates exclude thoughts; a count of 0 may be absent. */
function geminiTokens(usage: Json): Tokens {
  const reasoning = numberAt(usage, 'thoughtsTokenCount')
  return {
    input: numberAt(usage, 'promptTokenCount'),
    output: sum(numberAt(usage, 'candidatesTokenCount') ?? 0, reasoning ?? 0),
    cached: numberAt(usage, 'cachedContentTokenCount') ?? 0,
    ...(reasoning !== null && { reasoning }),
  }
}
