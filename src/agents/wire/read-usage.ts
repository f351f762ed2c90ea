import type { Tokens } from '../../schema/tokens.ts'
import { isObject } from '../../text/is-object.ts'
import { countAt, type Json, objectAt, sum } from './json.ts'

/** Tokens of a call that reported none. */
export const unreportedTokens: Tokens = { input: null, output: null, cached: null }

/**
 * Returns a provider's usage as tokens; undefined if its format is unknown. A count that is absent, a text, negative or a fraction is
 * null (not reported).
 */
export function tokensFromUsage(usage: Json): Tokens | undefined {
  const read = readTokens(usage)
  return read?.input === 0 ? withoutZeros(read) : read
}

/** A prompt never has 0 tokens, so a server that says so counts nothing. Its other zeros are not counts either. */
function withoutZeros({ output, cached, ...rest }: Tokens): Tokens {
  const known = Object.fromEntries(Object.entries(rest).filter(([, count]) => count !== 0))
  return { ...known, input: null, output: output || null, cached: cached || null }
}

function readTokens(usage: Json): Tokens | undefined {
  const has = (...fields: string[]) => fields.some((field) => field in usage)
  if (has('promptTokenCount', 'candidatesTokenCount', 'totalTokenCount')) return geminiTokens(usage)
  if (has('prompt_eval_count', 'eval_count')) return ollamaTokens(usage)
  if (has('prompt_tokens', 'completion_tokens')) return openaiTokens(usage)
  const hasParts = isObject(usage.input_tokens_details) || isObject(usage.prompt_tokens_details)
  if (hasParts && has('input_tokens', 'output_tokens')) return openaiTokens(usage)
  // Gateways add a total to Anthropic's words, in which what was cached is counted beside the input.
  const isCached = has('cache_read_input_tokens', 'cache_creation_input_tokens')
  if (has('total_tokens') && !isCached) return openaiTokens(usage)
  return has('input_tokens', 'output_tokens') ? anthropicTokens(usage) : undefined
}

/** Reads Anthropic's usage, which Claude Code also reports: input excludes cache reads and writes; output includes thinking. */
export function anthropicTokens(usage: Json): Tokens {
  const cached = countAt(usage, 'cache_read_input_tokens')
  const written = countAt(usage, 'cache_creation_input_tokens')
  const hour = countAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')
  const reasoning = countAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens')
  return tokens(
    { input: sum(countAt(usage, 'input_tokens'), cached ?? 0, written ?? 0), cached, written, hour },
    { output: countAt(usage, 'output_tokens'), reasoning },
  )
}

/**
 * Reads usage in OpenAI's words, of Chat Completions and of Responses: sums, with their parts under `_details`. Servers put counts
 * of caches in places of their own.
 */
function openaiTokens(usage: Json): Tokens {
  const inputParts = ['prompt_tokens_details', 'prompt_token_details', 'input_tokens_details'].map((field) =>
    objectAt(usage, field),
  )
  const outputParts = [objectAt(usage, 'completion_tokens_details'), objectAt(usage, 'output_tokens_details')]
  const hit = countAt(usage, 'prompt_cache_hit_tokens')
  const cached = largest([
    ...inputParts.map((part) => countAt(part, 'cached_tokens')),
    hit,
    countAt(usage, 'cached_tokens'),
    countAt(usage, 'num_cached_tokens'),
    countAt(usage, 'cache_read_input_tokens'),
  ])
  const written = largest([
    ...inputParts.flatMap((part) => [
      countAt(part, 'cache_write_tokens'),
      countAt(part, 'cache_creation_tokens'),
      countAt(part, 'cached_creation_tokens'),
      countAt(part, 'cache_creation_input_tokens'),
      writtenByAge(objectAt(part, 'cache_creation')),
    ]),
    countAt(usage, 'cache_creation_input_tokens'),
  ])
  const hour = largest(
    inputParts.map((part) => countAt(objectAt(part, 'cache_creation'), 'ephemeral_1h_input_tokens')),
  )
  const input =
    first(usage, ['prompt_tokens', 'input_tokens']) ?? sum(hit, countAt(usage, 'prompt_cache_miss_tokens'))
  const reasoning = largest([
    ...outputParts.map((part) => countAt(part, 'reasoning_tokens')),
    countAt(usage, 'reasoning_tokens'),
  ])
  const output = first(usage, ['completion_tokens', 'output_tokens'])
  const whole = wholeCounts({ input, output, reasoning, cached, written }, countAt(usage, 'total_tokens'))
  return tokens({ input: whole.input, cached, written, hour }, { output: whole.output, reasoning })
}

/** Returns the sum of what was written to a cache, by how long it is kept; null if there are no counts. */
function writtenByAge(ages: Json): number | null {
  const counts = Object.keys(ages).flatMap((age) => countAt(ages, age) ?? [])
  return counts.length === 0 ? null : sum(...counts)
}

interface Counts {
  input: number | null
  output: number | null
  reasoning: number | null
  cached: number | null
  written: number | null
}

/**
 * Returns input with what was cached, and output with reasoning. Some servers count either beside their sums (Grok its reasoning), or
 * hide reasoning: the total tells.
 */
function wholeCounts({ input, output, reasoning, cached, written }: Counts, total: number | null) {
  if (input === null || output === null) return { input, output }
  const beside = (total ?? 0) - input - output
  const isReasoning = reasoning !== null && reasoning === beside
  const inCache = (cached ?? 0) + (written ?? 0)
  if (beside > 0 && !isReasoning && [cached, written, inCache].includes(beside))
    return { input: input + beside, output }
  if (beside > 0) return { input, output: output + beside }
  // More reasoning than output: it cannot be a part of it.
  return { input, output: reasoning !== null && reasoning > output ? output + reasoning : output }
}

/**
 * Reads Gemini's usage: candidates exclude thoughts, and the prompt excludes what tools put in. It leaves counts of 0 out, so the
 * total tells whether there were candidates.
 */
function geminiTokens(usage: Json): Tokens {
  const reasoning = countAt(usage, 'thoughtsTokenCount')
  const candidates = countAt(usage, 'candidatesTokenCount')
  const total = countAt(usage, 'totalTokenCount')
  const prompt = countAt(usage, 'promptTokenCount')
  const input = sum(prompt, countAt(usage, 'toolUsePromptTokenCount') ?? 0)
  const rest = total === null || input === null || total < input ? null : total - input
  return tokens(
    { input, cached: countAt(usage, 'cachedContentTokenCount'), written: null, hour: null },
    { output: geminiOutput(candidates, reasoning, rest), reasoning },
  )
}

function geminiOutput(candidates: number | null, reasoning: number | null, rest: number | null) {
  if (candidates === null) return rest ?? reasoning
  // Some servers count thoughts as candidates, and others hide them.
  if (rest === candidates) return candidates
  return Math.max(candidates + (reasoning ?? 0), rest ?? 0)
}

/** Reads Ollama's counts. It leaves out that of a prompt that it has in its cache. */
const ollamaTokens = (usage: Json): Tokens => ({
  input: countAt(usage, 'prompt_eval_count'),
  output: countAt(usage, 'eval_count'),
  cached: null,
})

const largest = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((most, count) => (most === null || (count !== null && count > most) ? count : most), null)

const first = (usage: Json, fields: readonly string[]): number | null =>
  fields.map((field) => countAt(usage, field)).find((count) => count !== null) ?? null

interface InputCounts {
  input: number | null
  cached: number | null
  written: number | null
  hour: number | null
}

function tokens(
  { input, cached, written, hour }: InputCounts,
  { output, reasoning }: { output: number | null; reasoning: number | null },
): Tokens {
  return {
    input,
    output,
    cached,
    ...(written !== null && { cacheWrite: written }),
    ...(hour !== null && { cacheWriteHour: hour }),
    ...(reasoning !== null && { reasoning }),
  }
}
