/** The name of this estimate in reports. */
export const tokenizer = 'estimate: 4 characters a token'

/**
 * Estimates the tokens of a text: a quarter of its characters, rounded up. A simulated reply stands for more text than it
 * contains: its marker `[[120000 tokens of detail]]` counts as that number. So a prompt that includes the reply grows by as much,
 * and one that cuts or summarises it does not.
 */
export function estimateTokens(text: string): number {
  const { plain, bulkTokens } = splitBulk(text)
  return bulkTokens + Math.ceil(plain.length / 4)
}

const marker = /\[\[(\d+) tokens of [^\]\n]*\]\]/g

/**
 * Returns a text that counts as `tokens`: a marker between its two parts makes up the difference. If the parts alone are longer,
 * no marker is added.
 */
export function textOfSize(before: string, after: string, tokens: number, of: string): string {
  return before + bulkText(tokens - estimateTokens(before + after), of) + after
}

/** Returns a marker that counts as `tokens`; see `estimateTokens`. */
export function bulkText(tokens: number, of: string): string {
  return tokens > 0 ? `[[${Math.round(tokens)} tokens of ${of}]]` : ''
}

/** Splits a text from its markers, and returns the sum of their tokens. */
export function splitBulk(text: string): { plain: string; bulkTokens: number } {
  let bulkTokens = 0
  const plain = text.replace(marker, (_, tokens) => {
    bulkTokens += Number(tokens)
    return ''
  })
  return { plain, bulkTokens }
}
