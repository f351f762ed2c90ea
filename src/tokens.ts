/** The name under which token estimates of this file are reported. */
export const tokenizer = 'estimate: 4 characters a token'

const bulk = /⟦(\d+) tokens of [^⟧]*⟧/g

/**
 * Estimated tokens of a text: a quarter of its characters, rounded up. A simulated reply stands for far more text
 * than it holds, so its marker `⟦120000 tokens of detail⟧` counts as the number that it names: a prompt that passes
 * the reply on grows by that much, and one that cuts or summarises it does not.
 */
export function estimateTokens(text: string): number {
  if (!text.includes('⟦')) return Math.ceil(text.length / 4)
  let tokens = 0
  let marked = 0
  for (const match of text.matchAll(bulk)) {
    tokens += Number(match[1])
    marked += match[0].length
  }
  return tokens + Math.ceil((text.length - marked) / 4)
}

/** A marker that stands for so many tokens of text; see `estimateTokens`. */
export function bulkText(tokens: number, of: string): string {
  return tokens > 0 ? `⟦${Math.round(tokens)} tokens of ${of}⟧` : ''
}
