/** See docs/ranges.md. */
export function parseRanges(text) {
  if (text.trim() === '') return []
  const numbers = new Set()
  for (const part of text.split(',')) {
    const ends = /^ *(\d+) *(?:- *(\d+) *)?$/.exec(part)
    if (!ends) return undefined
    const [first, second] = [Number(ends[1]), Number(ends[2] ?? ends[1])]
    for (let n = Math.min(first, second); n <= Math.max(first, second); n++) numbers.add(n)
  }
  return [...numbers].sort((a, b) => a - b)
}
