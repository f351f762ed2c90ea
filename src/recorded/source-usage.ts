import type { RecordedReply } from '../schema/ledger/recorded-replies.ts'
import { isObject } from '../text/is-object.ts'

/** The tokens of a source's usage object, and what is unusual about it. */
interface ReadUsage {
  tokens: RecordedReply['tokens']
  /** Some number was written as a text. */
  hasTexts: boolean
  /** Tokens from a cache stood beside the input, not in it. */
  wasBeside: boolean
}

/** Names under which providers report tokens; a dot leads into an object. */
const names = {
  input: ['prompt_tokens', 'inputTextTokens', 'input_tokens'],
  output: ['completion_tokens', 'completionTokens', 'output_tokens'],
  cached: ['prompt_tokens_details.cached_tokens'],
  // One vendor leaves cached tokens out of its prompt_tokens.
  beside: ['precached_prompt_tokens'],
  reasoning: ['completion_tokens_details.reasoning_tokens', 'completionTokensDetails.reasoningTokens'],
}

/** Reads a provider's usage object. What is not reported, or under a name that is not known, is null. */
export function readUsage(usage: unknown): ReadUsage {
  let hasTexts = false
  const count = (kind: keyof typeof names): number | undefined => {
    for (const name of names[kind]) {
      const value = valueAt(usage, name)
      if (value === undefined || value === null) continue
      const isText = typeof value === 'string'
      const number = isText && /^\d{1,10}$/.test(value) ? Number(value) : value
      if (!Number.isSafeInteger(number) || (number as number) < 0) continue
      if (isText) hasTexts = true
      return number as number
    }
    return undefined
  }
  const [input, output, beside = 0] = [count('input'), count('output'), count('beside')]
  const cached = beside > 0 ? beside : count('cached')
  const reasoning = count('reasoning')
  const whole = input === undefined ? null : input + beside
  return {
    tokens: {
      ...{ input: whole, output: output ?? null },
      ...(cached !== undefined && cached <= (whole ?? 0) && { cached }),
      ...(reasoning !== undefined && reasoning <= (output ?? 0) && { reasoning }),
    },
    hasTexts,
    wasBeside: beside > 0,
  }
}

const valueAt = (value: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
