import type { Token } from './tokens.ts'

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const small = new Map([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, 20 + 10 * index] as const),
  ['fourty', 40],
])
const large = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
])

/** Whether a word names a number: `seven`, `forty`. */
export const isNumberWord = (word: string): boolean => small.has(word.toLowerCase())

/**
 * Reads the English number that starts at a token, such as `two hundred and seven`, `forty-two` or `three million`. Gives its
 * value and the first token behind it; undefined if no number starts there.
 */
export function readNumberWords(
  tokens: readonly Token[],
  start: number,
): { value: number; end: number } | undefined {
  let total = 0
  let group: number | undefined
  let lastAdded = Number.POSITIVE_INFINITY
  let end = start
  for (let at = start; at < tokens.length; ) {
    const word = (tokens[at] as Token).text.toLowerCase()
    const value = small.get(word)
    if (value !== undefined) {
      // `forty two` is one number; `two forty` and `two two` are two.
      if (value >= lastAdded || (lastAdded >= 20 && lastAdded < 100 && value >= 10)) return undefined
      if (group !== undefined && lastAdded < 20) return undefined
      group = (group ?? 0) + value
      lastAdded = value
    } else if (word === 'hundred' && group !== undefined && group > 0 && group < 100) {
      group *= 100
      lastAdded = 100
    } else if (large.has(word) && group !== undefined) {
      total += group * (large.get(word) as number)
      group = 0
      lastAdded = Number.POSITIVE_INFINITY
    } else break
    end = at + 1
    at = nextWord(tokens, end)
  }
  return end === start ? undefined : { value: total + (group ?? 0), end }
}

/** Returns the index of the next word: behind one space or hyphen, and behind `and`. */
function nextWord(tokens: readonly Token[], end: number): number {
  const joint = tokens[end]?.text
  if (joint !== ' ' && joint !== '-') return tokens.length
  return tokens[end + 1]?.text.toLowerCase() === 'and' && tokens[end + 2]?.text === ' ' ? end + 3 : end + 1
}
