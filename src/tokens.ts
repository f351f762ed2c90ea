/** The name under which token estimates of this file are reported. */
export const tokenizer = 'estimate: 4 characters a token'

const bulk = /\[\[(\d+) tokens of [^\]\n]*\]\]/g

/**
 * Estimated tokens of a text: a quarter of its characters, rounded up. A simulated reply stands for far more text
 * than it holds, so its marker `[[120000 tokens of detail]]` counts as the number that it names: a prompt that passes
 * the reply on grows by that much, and one that cuts or summarises it does not.
 */
export function estimateTokens(text: string): number {
  if (!text.includes('[[')) return Math.ceil(text.length / 4)
  const { plainLength, bulkTokens } = measureBulk(text)
  return bulkTokens + Math.ceil(plainLength / 4)
}

/** A marker that stands for so many tokens of text; see `estimateTokens`. ASCII, since it stands in nearly every line of a journal. */
export function bulkText(tokens: number, of: string): string {
  return tokens > 0 ? `[[${Math.round(tokens)} tokens of ${of}]]` : ''
}

/** A text apart from its markers, and for how many tokens they stand. */
export function splitBulk(text: string): { plain: string; bulkTokens: number } {
  if (!text.includes('[[')) return { plain: text, bulkTokens: 0 }
  return { plain: text.replace(bulk, ''), bulkTokens: measureBulk(text).bulkTokens }
}

function measureBulk(text: string): { plainLength: number; bulkTokens: number } {
  let bulkTokens = 0
  let plainLength = text.length
  bulk.lastIndex = 0
  // Most texts hold one marker, and to look for another one costs as much as to find it.
  while (text.includes('[[', bulk.lastIndex)) {
    const match = bulk.exec(text)
    if (!match) break
    bulkTokens += Number(match[1])
    plainLength -= match[0].length
  }
  return { plainLength, bulkTokens }
}
