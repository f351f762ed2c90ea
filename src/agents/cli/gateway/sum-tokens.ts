import type { Tokens } from '../../../schema/tokens.ts'
import { tokensFromUsage } from '../../wire/read-usage.ts'
import { unreportedTokens } from '../reading.ts'
import type { End, Exchange } from './exchange.ts'
import { modelExchanges } from './request-failure.ts'

const noTokens: Tokens = { input: 0, output: 0, cached: 0 }

/**
 * Returns the provider's counts over all requests. Null if a reply broke off, since its tokens were generated but not reported. A refused
 * request counts as 0. Undefined if there was no model's reply in a known format, so that only the program can tell.
 */
export function tokensOf(exchanges: readonly Exchange[]): Tokens | undefined {
  const generated = exchanges.map(({ end }) => end).filter(isGenerated)
  if (generated.length === 0) return wereRefused(exchanges) ? noTokens : undefined
  return generated.map(countOf).reduce(plus)
}

/** Whether there were requests and all were refused before a byte of a reply, so that no tokens were generated. */
export function wereRefused(exchanges: readonly Exchange[]): boolean {
  if (exchanges.some(({ end }) => isGenerated(end))) return false
  const asked = modelExchanges(exchanges)
  return asked.length > 0 && asked.every(({ end }) => end.kind === 'refused' || end.kind === 'unreached')
}

/** Whether tokens may have been generated for a request. */
export const isGenerated = ({ kind }: End) => kind === 'none' || kind === 'read' || kind === 'broken'

/** Returns the provider's counts of one reply; null where it did not tell them. */
export function countOf(end: End): Tokens {
  if (end.kind !== 'read' || !end.reply.ended || end.reply.failed) return unreportedTokens
  return tokensFromUsage(end.reply.usage) ?? unreportedTokens
}

/** Adds the counts of two replies. A part that one of them does not tell is not told for both. */
export function plus(a: Tokens, b: Tokens): Tokens {
  const both = (x: number | null, y: number | null) => (x === null || y === null ? null : x + y)
  const parts = (['cacheWrite', 'cacheWriteHour', 'reasoning'] as const).flatMap((part) => {
    const [x, y] = [a[part], b[part]]
    return x === undefined || y === undefined ? [] : [[part, x + y] as const]
  })
  return {
    input: both(a.input, b.input),
    output: both(a.output, b.output),
    cached: both(a.cached, b.cached),
    ...Object.fromEntries(parts),
  }
}
