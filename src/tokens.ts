/** The name under which token estimates of this file are reported. */
export const tokenizer = 'estimate: 4 characters a token'

/**
 * Estimated tokens of a text: a quarter of its characters, rounded up. A simulated reply stands for far more text
 * than it holds, so its marker `[[120000 tokens of detail]]` counts as the number that it names: a prompt that passes
 * the reply on grows by that much, and one that cuts or summarises it does not.
 */
export function estimateTokens(text: string): number {
  if (text === lastMade.text) return lastMade.tokens
  if (!text.includes('[[')) return Math.ceil(text.length / 4)
  let plainLength = text.length
  const bulkTokens = eachMarker(text, (start, end) => {
    plainLength -= end - start
  })
  return bulkTokens + Math.ceil(plainLength / 4)
}

let lastMade = { text: '', tokens: 0 }

/**
 * A text that stands for so many tokens: between its two parts a marker counts for what they lack. Longer parts stay
 * as they are; the estimate of the result is then theirs.
 */
export function textOfSize(before: string, after: string, tokens: number, of: string): string {
  if (before.includes('[') || after.includes('[')) {
    const lacking = tokens - estimateTokens(before + after)
    return before + bulkText(lacking, of) + after
  }
  const plain = Math.ceil((before.length + after.length) / 4)
  const text = before + bulkText(tokens - plain, of) + after
  // Whoever makes a text is asked for its estimate next, and no part of a marker stands in its parts.
  lastMade = { text, tokens: plain + Math.max(0, Math.round(tokens - plain)) }
  return text
}

/** A marker that stands for so many tokens of text; see `estimateTokens`. ASCII, since it stands in nearly every line of a journal. */
export function bulkText(tokens: number, of: string): string {
  return tokens > 0 ? `[[${Math.round(tokens)} tokens of ${of}]]` : ''
}

/** A text apart from its markers, and for how many tokens they stand. */
export function splitBulk(text: string): { plain: string; bulkTokens: number } {
  if (!text.includes('[[')) return { plain: text, bulkTokens: 0 }
  let plain = ''
  let from = 0
  const bulkTokens = eachMarker(text, (start, end) => {
    plain += text.slice(from, start)
    from = end
  })
  return { plain: plain + text.slice(from), bulkTokens }
}

/** Tells where each marker stands; gives the sum of their tokens. */
function eachMarker(text: string, take: (start: number, end: number) => void): number {
  let tokens = 0
  for (let at = text.indexOf('[['); at >= 0; ) {
    const digits = endOfDigits(text, at + 2)
    const end = endOfMarker(text, at + 2, digits)
    if (end > 0) {
      tokens += Number(text.slice(at + 2, digits))
      take(at, end)
    }
    at = text.indexOf('[[', end > 0 ? end : at + 1)
  }
  return tokens
}

// By hand: to run an expression costs several times as much, for each reply of a dry run.
function endOfDigits(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= zero && text.charCodeAt(at) <= nine) at++
  return at
}

const zero = 0x30
const nine = 0x39
const unit = ' tokens of '

/** Where a marker ends whose number stands from `from` to `to`; 0: it is none. */
function endOfMarker(text: string, from: number, to: number): number {
  if (to === from || !text.startsWith(unit, to)) return 0
  const at = text.indexOf(']', to + unit.length)
  if (text.slice(to, at).includes('\n')) return 0
  return at > 0 && text[at + 1] === ']' ? at + 2 : 0
}
