import type { Tokens } from '../../../schema/tokens.ts'
import { type Json, objectAt, tryParseJson } from '../../wire/json.ts'

/** Output that is expected of a request that allows any, and the most that is; tokens. No model writes more in one reply. */
const usualOutput = 4_096
const mostOutput = 128_000

/** Choices that are expected at most. */
const mostChoices = 128

/** Bytes that are taken for one token, of a request or of a reply. */
export const bytesPerToken = 4

/** The most output, and the number of choices, as the vendors call them; servers read both spellings, with `_` or without. */
const limitNames = ['maxtokens', 'maxcompletiontokens', 'maxoutputtokens']
const choiceNames = ['n', 'bestof', 'candidatecount']

/** Returns what a request may use, by its size and the most output that it allows. */
export function expectedTokens(body: Buffer): Tokens {
  const request = objectAt(tryParseJson(body.toString('utf8')))
  const places = [request, objectAt(request, 'generationConfig'), objectAt(request, 'generation_config')]
  const output = greatest(places, limitNames) ?? usualOutput
  const choices = greatest(places, choiceNames) ?? 1
  return {
    input: Math.ceil(body.length / bytesPerToken),
    output: Math.min(mostOutput, Math.ceil(output)) * Math.min(mostChoices, Math.max(1, Math.floor(choices))),
    cached: null,
  }
}

/** Returns the greatest number above 0 in fields with these names; a server may read a number from a text, too. */
function greatest(places: readonly Json[], names: readonly string[]): number | undefined {
  const values = places.flatMap((place) =>
    Object.entries(place).flatMap(([field, value]) =>
      names.includes(field.replaceAll('_', '').toLowerCase()) && ['number', 'string'].includes(typeof value)
        ? Number(value)
        : [],
    ),
  )
  const known = values.filter((value) => Number.isFinite(value) && value > 0)
  return known.length === 0 ? undefined : Math.max(...known)
}
