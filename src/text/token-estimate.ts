/** The name under which token estimates of this file are reported. */
export const tokenizer = 'estimate: 4 characters a token'

/**
 * Estimated tokens of a text: a quarter of its characters, rounded up. A simulated reply stands for far more text
 * than it holds, so its marker `[[120000 tokens of detail]]` counts as the number that it names: a prompt that passes
 * the reply on grows by that much, and one that cuts or summarises it does not.
 */
export function estimateTokens(text: string): number {
  const { plain, bulkTokens } = splitBulk(text)
  return bulkTokens + Math.ceil(plain.length / 4)
}

const marker = /\[\[(\d+) tokens of [^\]\n]*\]\]/g

/**
 * A text that stands for so many tokens: between its two parts a marker counts for what they lack. Longer parts stay
 * as they are; the estimate of the result is then theirs.
 */
export function textOfSize(before: string, after: string, tokens: number, of: string): string {
  return before + bulkText(tokens - estimateTokens(before + after), of) + after
}

/** A marker that stands for so many tokens of text; see `estimateTokens`. */
export function bulkText(tokens: number, of: string): string {
  return tokens > 0 ? `[[${Math.round(tokens)} tokens of ${of}]]` : ''
}

/** A text apart from its markers, and for how many tokens they stand. */
export function splitBulk(text: string): { plain: string; bulkTokens: number } {
  let bulkTokens = 0
  const plain = text.replace(marker, (_, tokens) => {
    bulkTokens += Number(tokens)
    return ''
  })
  return { plain, bulkTokens }
}
