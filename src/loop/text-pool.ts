const places = 1 << 12
const quote = 1

/** Decodes a text of JSON that stands in some bytes, quotes included. */
export function decodeText(bytes: Buffer, from: number, to: number): string {
  const raw = bytes.toString('utf8', from + quote, to - quote)
  return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw
}

/** The same, faster for texts that come again and again, as the names in records do: each is decoded once, and kept. */
export function createTextPool(): typeof decodeText {
  const known: string[] = new Array(places).fill('')
  return (bytes, from, to) => {
    let hash = 0
    for (let at = from + quote; at < to - quote; at++)
      hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    const place = (hash ^ (hash >>> 12)) & (places - 1)
    const before = known[place] as string
    if (isSame(before, bytes, from + quote, to - quote)) return before
    const decoded = decodeText(bytes, from, to)
    known[place] = decoded
    return decoded
  }
}

// A text with a byte beyond ASCII is never the same, nor one with an escape: both are shorter than their bytes.
function isSame(text: string, bytes: Buffer, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) !== bytes[from + index]) return false
  return true
}
