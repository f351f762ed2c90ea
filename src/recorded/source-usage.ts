import { tokensFromUsage, unreportedTokens } from '../agents/wire/read-usage.ts'
import type { RecordedReply } from '../schema/ledger/recorded-replies.ts'
import { isObject } from '../text/is-object.ts'

/** The tokens of a source's usage object, and what is unusual about it. */
interface ReadUsage {
  tokens: RecordedReply['tokens']
  /** Some number was written as a text. */
  hasTexts: boolean
  /** Tokens from or to a cache stood beside the input, not in it. */
  wasBeside: boolean
}

/** Words of two vendors whose servers bench does not call, and those of OpenAI for the same. */
const words: Readonly<Record<string, string>> = {
  inputTextTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  totalTokens: 'total_tokens',
  completionTokensDetails: 'completion_tokens_details',
  reasoningTokens: 'reasoning_tokens',
}

type Json = Record<string, unknown>

/** Reads a provider's usage object as bench reads those of live calls. What is not reported, or under a name that is not known, is null. */
export function readUsage(usage: unknown): ReadUsage {
  const texts: string[] = []
  const { precached_prompt_tokens: beside, ...rest } = withNumbers(isObject(usage) ? usage : {}, texts)
  const isBeside = typeof beside === 'number' && beside > 0
  // Whether the total counts what stands beside the input is not known.
  const { total_tokens: _, ...withoutTotal } = rest
  const read = tokensFromUsage(isBeside ? withoutTotal : rest)
  const { input, output, ...parts } = read ?? unreportedTokens
  const own = [rest.prompt_tokens, rest.input_tokens].find((one) => typeof one === 'number')
  const whole = isBeside && input !== null ? input + beside : input
  const cached = isBeside ? beside : parts.cached
  return {
    tokens: {
      ...{ input: whole, output },
      ...part('cached', cached, whole),
      ...part('cacheWrite', parts.cacheWrite, whole),
      ...part('cacheWriteHour', parts.cacheWriteHour, parts.cacheWrite),
      ...part('reasoning', parts.reasoning, output),
    },
    hasTexts: texts.length > 0,
    wasBeside: whole !== null && own !== undefined && whole > (own as number),
  }
}

/** A part that is larger than its whole is no count. */
const part = <Name extends string>(
  name: Name,
  count: number | null | undefined,
  whole: number | null | undefined,
) => (count != null && count <= (whole ?? 0) ? ({ [name]: count } as Record<Name, number>) : {})

/** Returns a usage object in words that are known, with numbers in place of texts of digits, which are added to `texts`. */
function withNumbers(usage: Json, texts: string[]): Json {
  const all = Object.entries(usage).map(([name, value]) => {
    const known = Object.hasOwn(words, name) ? (words[name] as string) : name
    if (isObject(value)) return [known, withNumbers(value, texts)]
    if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) return [known, value]
    texts.push(value)
    return [known, Number(value)]
  })
  return Object.fromEntries(all) as Json
}
