import type { Tokens } from '../../../schema/tokens.ts'
import { type Json, numberAt, objectAt, tryParseJson } from '../../wire/json.ts'

/** Output that is expected of a request that allows any, and the most that is; tokens. No model writes more in one reply. */
const usualOutput = 4_096
const mostOutput = 128_000

/** Choices that are expected at most. */
const mostChoices = 128

/** Bytes that are taken for one token. */
const bytesPerToken = 4

/** Returns what a request may use, by its size and the most output that it allows. */
export function expectedTokens(body: Buffer): Tokens {
  const asked = tryParseJson(body.toString('utf8'))
  const request: Json = objectAt(asked)
  const config = objectAt(request, 'generationConfig')
  const limits = [
    ...['max_tokens', 'max_completion_tokens', 'max_output_tokens'].map((field) => numberAt(request, field)),
    numberAt(config, 'maxOutputTokens'),
  ].filter((limit) => limit !== null && limit > 0)
  const choices = numberAt(request, 'n') ?? numberAt(config, 'candidateCount') ?? 1
  const output = limits.length > 0 ? Math.max(...(limits as number[])) : usualOutput
  return {
    input: Math.ceil(body.length / bytesPerToken),
    output: Math.min(mostOutput, Math.ceil(output)) * Math.min(mostChoices, Math.max(1, Math.floor(choices))),
    cached: null,
  }
}
