import { z } from 'zod'
import { type ForeignTrial, noTokens } from './foreign-trial.ts'

/** What a model used, as Inspect AI writes it. */
export const Usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  input_tokens_cache_read: z.number().nullish(),
  input_tokens_cache_write: z.number().nullish(),
  total_cost: z.number().nullish(),
})
type Usage = z.infer<typeof Usage>

/** Returns the sums over models. Some providers count cache reads and writes beside the input, as the total tells. */
export function tokensOf(all: readonly Usage[]): Pick<ForeignTrial, 'tokens' | 'costUsd'> {
  if (all.length === 0) return { tokens: noTokens, costUsd: null }
  const sum = (of: (one: Usage) => number | null | undefined) =>
    all.reduce<number | null>((total, one) => {
      const value = of(one)
      return total === null || typeof value !== 'number' ? null : total + value
    }, 0)
  const written = sum((one) => one.input_tokens_cache_write)
  return {
    tokens: {
      input: sum((one) =>
        typeof one.input_tokens === 'number' && isBeside(one)
          ? one.input_tokens + cacheOf(one)
          : one.input_tokens,
      ),
      output: sum((one) => one.output_tokens),
      cached: sum((one) => one.input_tokens_cache_read),
      ...(written !== null && { cacheWrite: written }),
    },
    costUsd: sum((one) => one.total_cost),
  }
}

const cacheOf = (one: Usage) => (one.input_tokens_cache_read ?? 0) + (one.input_tokens_cache_write ?? 0)

const isBeside = ({ input_tokens: input, output_tokens: output, total_tokens: total, ...one }: Usage) =>
  total === (input ?? 0) + (output ?? 0) + cacheOf(one)

const counts = [
  ...(['input_tokens', 'output_tokens', 'total_tokens'] as const),
  ...(['input_tokens_cache_read', 'input_tokens_cache_write', 'total_cost'] as const),
]

/** Returns what models used beside one role, such as the grader; undefined if nobody says which model had the role. */
export function withoutRole(
  usage: Readonly<Record<string, Usage>>,
  role: Usage | undefined,
  model: string | null,
): Record<string, Usage> | undefined {
  if (!role) return usage
  const names = Object.keys(usage)
  const name = names.find((one) => one === model) ?? (names.length === 1 ? names[0] : undefined)
  const whole = name === undefined ? undefined : usage[name]
  if (name === undefined || !whole) return undefined
  const { [name]: _, ...others } = usage
  const left: Usage = Object.fromEntries(
    counts.map((count) => [count, difference(whole[count], role[count])]),
  )
  return left.input_tokens || left.output_tokens ? { ...others, [name]: left } : others
}

const difference = (whole: number | null | undefined, part: number | null | undefined) =>
  typeof whole === 'number' && typeof part === 'number' ? Math.max(0, whole - part) : whole
